package io.github.snowflakeid.it.jpa;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.WorkerLease.State;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** Beans that save entities while the context starts, before any bean except Hibernate uses the generator. */
@ExtendWith(OutputCaptureExtension.class)
class LeaseDuringStartupTests {

    record Saved(List<Long> ids) {}

    static class InTheThreadThatStartsTheContext {

        @Bean
        Saved saved(EntityManagerFactory factory) {
            return new Saved(JpaShop.save(factory, 1));
        }
    }

    static class InAThreadThatIsWaitedFor {

        @Bean
        Saved saved(EntityManagerFactory factory) throws Exception {
            return CompletableFuture.supplyAsync(() -> new Saved(JpaShop.save(factory, 1)))
                    .get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void beanThatGetsTheFactoryCanSaveAtOnce(CapturedOutput output) {
        assertThatItSaves(InTheThreadThatStartsTheContext.class);

        assertThat(output).containsOnlyOnce("Generating IDs with worker ID 0, datacenter ID 0 (leased, ");
    }

    @Test
    void beanThatGetsTheFactoryCanSaveInAnotherThread(CapturedOutput output) {
        assertThatItSaves(InAThreadThatIsWaitedFor.class);

        assertThat(output).containsOnlyOnce("Generating IDs with worker ID 0, datacenter ID 0 (leased, ");
    }

    private static void assertThatItSaves(Class<?> early) {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(JpaShop.class, early)
                .web(WebApplicationType.NONE)
                .run("--spring.datasource.url=jdbc:h2:mem:opening", "--snowflake.worker.id=")) {
            assertThat(context.getBean(Saved.class).ids()).hasSize(2);
            assertThat(context.getBean(SnowflakeIdGenerator.class).lease())
                    .get()
                    .satisfies(lease -> assertThat(lease.state()).isEqualTo(State.HELD));
        }
    }
}
