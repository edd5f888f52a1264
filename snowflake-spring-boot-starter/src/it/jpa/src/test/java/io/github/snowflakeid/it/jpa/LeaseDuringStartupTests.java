package io.github.snowflakeid.it.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.jdbc.JdbcWorkerRegistry;
import io.github.snowflakeid.worker.WorkerLease.State;
import io.github.snowflakeid.worker.WorkerRegistry;
import jakarta.persistence.EntityManagerFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.boot.model.naming.PhysicalNamingStrategy;
import org.hibernate.boot.model.naming.PhysicalNamingStrategyStandardImpl;
import org.hibernate.engine.jdbc.env.spi.JdbcEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** The worker ID is leased while Hibernate builds its factory. No bean gets the factory before the lease is held. */
@ExtendWith(OutputCaptureExtension.class)
class LeaseDuringStartupTests {

    private static CountDownLatch factoryIsMade;

    private static ConfigurableApplicationContext start(Class<?>... sources) {
        factoryIsMade = new CountDownLatch(1);
        return new SpringApplicationBuilder(JpaShop.class)
                .sources(sources)
                .web(WebApplicationType.NONE)
                .run(
                        "--spring.datasource.url=jdbc:h2:mem:opening",
                        "--snowflake.worker.id=",
                        "--snowflake.worker.lease.acquire-timeout=6s");
    }

    /** A registry that answers only after Hibernate has begun: if Hibernate waited for the lease, startup would fail. */
    static class Slow {

        @Bean
        WorkerRegistry registry(DataSource database) {
            WorkerRegistry registry =
                    new JdbcWorkerRegistry(database, JdbcWorkerRegistry.DEFAULT_TABLE, "shop").creatingItsTable();
            return (WorkerRegistry) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {WorkerRegistry.class}, (proxy, method, arguments) -> {
                        if (method.getName().equals("read") && !factoryIsMade.await(5, TimeUnit.SECONDS)) {
                            throw new IllegalStateException("no factory is made meanwhile");
                        }
                        try {
                            return method.invoke(registry, arguments);
                        } catch (InvocationTargetException failed) {
                            throw failed.getCause();
                        }
                    });
        }

        @Bean
        @SuppressWarnings("serial")
        PhysicalNamingStrategy names() {
            return new PhysicalNamingStrategyStandardImpl() {

                @Override
                public Identifier toPhysicalTableName(Identifier logicalName, JdbcEnvironment environment) {
                    factoryIsMade.countDown();
                    return super.toPhysicalTableName(logicalName, environment);
                }
            };
        }
    }

    static class Early {

        record Saved(List<Long> ids) {}

        @Bean
        Saved savedAtOnce(EntityManagerFactory factory, SnowflakeIdGenerator generator) {
            assertThat(generator.lease())
                    .get()
                    .satisfies(lease -> assertThat(lease.state()).isEqualTo(State.HELD));
            return new Saved(JpaShop.save(factory, 1));
        }
    }

    @Test
    void whoeverGetsTheFactoryCanSaveAtOnce(CapturedOutput output) {
        try (ConfigurableApplicationContext context = start(Slow.class, Early.class)) {
            assertThat(context.getBean(Early.Saved.class).ids()).isNotEmpty();
        }
        assertThat(output)
                .containsOnlyOnce("Snowflake ids with worker id 0, datacenter id 0 (leased, namespace 'shop'), ");
    }
}
