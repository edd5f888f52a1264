package io.github.snowflakeid.it.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.persistence.EntityManagerFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** A database whose tables were not created by Hibernate. Tables of most entities are missing. */
@ExtendWith(OutputCaptureExtension.class)
class NarrowColumnTests {

    private static final String TABLES =
            "create table if not exists voucher (id integer primary key, replaces bigint)\\;create table if not exists named (id smallint primary key, text varchar(20))\\;create table if not exists long_id (id bigint primary key)";

    @Test
    void columnsThatCannotHoldIdsAreNamedAtStartup(CapturedOutput output) {
        new SpringApplicationBuilder(JpaShop.class)
                .web(WebApplicationType.NONE)
                .run(
                        "--spring.datasource.url=jdbc:h2:mem:narrow;INIT=" + TABLES,
                        "--spring.jpa.hibernate.ddl-auto=none",
                        "--snowflake.worker.id=1")
                .close();

        assertThat(output)
                .containsOnlyOnce(
                        "Attribute 'id' of io.github.snowflakeid.it.jpa.JpaEntities$Voucher has a column of type INTEGER, which cannot hold Snowflake IDs: change the type of id in table voucher to BIGINT")
                .containsOnlyOnce(
                        "Attribute 'id' of io.github.snowflakeid.it.jpa.JpaEntities$Named has a column of type SMALLINT, which cannot hold Snowflake IDs: change the type of id in table named to BIGINT");
        assertThat(output.toString().split("which cannot hold", -1)).hasSize(3);
    }

    @Test
    void aDataSourceThatFailsIsAskedOnce() {
        new SpringApplicationBuilder(JpaShop.class, Flaky.class)
                .web(WebApplicationType.NONE)
                .run("--spring.jpa.hibernate.ddl-auto=none", "--spring.sql.init.mode=never", "--snowflake.worker.id=1")
                .close();

        assertThat(Flaky.REJECTED).hasValue(1);
    }

    /** Fails as soon as Hibernate has started. */
    @TestConfiguration
    static class Flaky {

        static final AtomicInteger REJECTED = new AtomicInteger();

        private boolean isAvailable = true;

        @Bean
        DataSource dataSource() {
            return new DelegatingDataSource(new DriverManagerDataSource("jdbc:h2:mem:flaky")) {
                @Override
                public Connection getConnection() throws SQLException {
                    if (!isAvailable) {
                        REJECTED.incrementAndGet();
                        throw new IllegalStateException("no route");
                    }
                    return super.getConnection();
                }
            };
        }

        @Bean
        Object outage(EntityManagerFactory hibernate) {
            isAvailable = false;
            return hibernate.getProperties();
        }
    }
}
