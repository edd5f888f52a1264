package io.github.snowflakeid.it.jpa;

import io.github.snowflakeid.it.common.ConcurrentInserts;
import io.github.snowflakeid.it.common.KilledProcessCheck;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.stream.Stream;
import org.h2.tools.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

// Slow: starts two processes and kills one of them.
@Tag("full")
@Tag("processes")
class JpaProcessTests {

    @Test
    void noCommittedRowIsLostOrHasTheIdOfAnotherWhenAProcessIsKilled() throws Exception {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        String url = "jdbc:h2:tcp://localhost:" + server.getPort() + "/mem:shop;DB_CLOSE_DELAY=-1";
        try (Connection connection = DriverManager.getConnection(url, "sa", "")) {
            KilledProcessCheck.run(
                    InsertingProcess.class,
                    List.of(
                            "--spring.datasource.url=" + url,
                            "--spring.datasource.username=sa",
                            "--spring.jpa.hibernate.ddl-auto=update",
                            "--spring.main.web-application-type=none",
                            "--snowflake.worker.id="),
                    connection,
                    "select id from purchase");
        } finally {
            server.stop();
        }
    }

    static final class InsertingProcess {

        public static void main(String[] args) throws Exception {
            // DevTools would start the main method again, with the arguments of another application.
            System.setProperty("spring.devtools.restart.enabled", "false");
            ConcurrentInserts.save(JpaShop.class, args, context -> {
                EntityManagerFactory factory = context.getBean(EntityManagerFactory.class);
                TransactionTemplate transaction =
                        new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
                return count -> transaction.execute(status -> {
                    EntityManager entities = EntityManagerFactoryUtils.getTransactionalEntityManager(factory);
                    return Stream.generate(JpaEntities.Purchase::new)
                            .limit(count)
                            .peek(entities::persist)
                            .map(purchase -> purchase.id)
                            .toList();
                });
            });
        }
    }
}
