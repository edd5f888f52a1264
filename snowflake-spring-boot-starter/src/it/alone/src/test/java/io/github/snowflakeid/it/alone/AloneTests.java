package io.github.snowflakeid.it.alone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.SnowflakeIdGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;

@ExtendWith(OutputCaptureExtension.class)
class AloneTests {

    @Test
    void nothingElseIsOnTheClassPath() {
        for (String name : new String[] {
            "jakarta.persistence.Entity",
            "org.hibernate.Session",
            "org.springframework.orm.jpa.AbstractEntityManagerFactoryBean",
            "org.springframework.data.repository.Repository",
            "io.r2dbc.spi.ConnectionFactory",
            "org.springframework.data.redis.connection.RedisConnectionFactory",
            "org.apache.curator.framework.CuratorFramework",
            "org.apache.ibatis.session.SqlSessionFactory",
            "com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator",
            "com.mybatisflex.core.FlexGlobalConfig",
            "org.springframework.data.mongodb.core.MongoOperations",
            "org.apache.shardingsphere.infra.spi.type.typed.TypedSPI",
            "com.fasterxml.jackson.databind.ObjectMapper",
            "tools.jackson.databind.ObjectMapper",
            "org.springdoc.core.customizers.PropertyCustomizer",
            "org.springframework.web.context.WebApplicationContext",
            "org.springframework.graphql.data.method.annotation.SchemaMapping",
            "org.springframework.data.rest.core.mapping.RepositoryResourceMappings",
            "org.springframework.cloud.openfeign.FeignFormatterRegistrar",
            "org.springframework.messaging.simp.SimpMessagingTemplate"
        }) {
            assertThat(ClassUtils.isPresent(name, null)).as(name).isFalse();
        }
    }

    @Test
    void makesIds(CapturedOutput output) {
        try (ConfigurableApplicationContext context =
                SpringApplication.run(Application.class, "--snowflake.worker.id=7", "--snowflake.layout=twitter")) {
            long id = context.getBean(IdGenerator.class).nextId();

            assertThat(IdLayout.TWITTER.decode(id).workerId()).isEqualTo(7);
            assertThat(context.getBeansOfType(SnowflakeIdGenerator.class)).hasSize(1);
            assertThat(output).contains("Generating IDs with worker ID 7").doesNotContain("WARN", "ERROR");
        }
    }

    @Test
    void reportsWhyItDoesNotStart(CapturedOutput output) {
        assertThatThrownBy(() -> SpringApplication.run(Application.class, "--snowflake.worker.id=32"))
                .isNotNull();

        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains(
                        "Property 'snowflake.worker.id' must be in [0, 31] (5 worker bits), but was 32 (\"snowflake.worker.id\" from property source")
                .contains("\nsnowflake.worker.id: ${WORKER_ID}\n")
                .doesNotContain("FailureAnalyzer", "\tat ");
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {}
}
