package io.github.snowflakeid.it.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeIdGenerator;
import jakarta.persistence.EntityManagerFactory;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** Spring Boot 4.1 can fetch connections as late as possible. */
class LazyConnectionTests {

    @Test
    void idsAreLeasedAndRowsAreSaved() {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(JpaShop.class)
                .web(WebApplicationType.NONE)
                .run(
                        "--spring.datasource.url=jdbc:h2:mem:lazy",
                        "--spring.datasource.connection-fetch=lazy",
                        "--snowflake.worker.id=")) {
            assertThat(JpaShop.save(context.getBean(EntityManagerFactory.class), 3))
                    .doesNotHaveDuplicates();
            assertThat(context.getBean(SnowflakeIdGenerator.class).lease()).isPresent();
        }
    }
}
