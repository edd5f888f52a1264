package io.github.snowflakeid.it.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.hibernate.SnowflakeSettings;
import io.github.snowflakeid.it.invalid.UuidIdEntity;
import io.github.snowflakeid.it.invalid.named.IntegerIdEntity;
import jakarta.persistence.EntityManagerFactory;
import org.h2.jdbcx.JdbcDataSource;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;

@ExtendWith(OutputCaptureExtension.class)
class JpaFailureTests {

    @Test
    void namesTheAttributeThatCannotHoldAnId(CapturedOutput output) {
        assertThatThrownBy(() -> start(WrongFactory.class, "packages=io.github.snowflakeid.it.invalid"))
                .isNotNull();

        assertThat(output).contains("""
                        Description:

                        Attribute 'key' of %s must be a Long, a long, a String or a BigInteger to hold a Snowflake ID, but is a java.util.UUID.

                        Action:

                        Change the type of the attribute:

                        @SnowflakeId
                        private Long key;
                        """.formatted(UuidIdEntity.class.getName()));
    }

    @Test
    void namesTheAttributeOfANamedGeneratorThatCannotHoldAnId(CapturedOutput output) {
        assertThatThrownBy(() -> start(WrongFactory.class, "packages=io.github.snowflakeid.it.invalid.named"))
                .isNotNull();

        assertThat(output).contains("""
                        Description:

                        Attribute 'key' of %s must be a Long, a long, a String or a BigInteger to hold a Snowflake ID, but is a java.lang.Integer.

                        Action:

                        Change the type of the attribute:

                        @Id
                        @GeneratedValue(generator = "snowflake")
                        private Long key;
                        """.formatted(IntegerIdEntity.class.getName()));
    }

    @Test
    void withoutIdsAnEntityIsNotSaved() {
        try (ConfigurableApplicationContext context = start(JpaShop.class, "snowflake.enabled=false")) {
            EntityManagerFactory factory = context.getBean(EntityManagerFactory.class);

            assertThatThrownBy(() -> JpaShop.save(factory, 1))
                    .hasMessage(
                            "No Snowflake ID for attribute 'id' of io.github.snowflakeid.it.jpa.JpaEntities$LongId: setting"
                                    + " 'snowflake.id-generator' of its EntityManagerFactory is missing");
        }
    }

    @Test
    void generatorOfTheApplicationIsAskedAlsoIfOursIsSwitchedOff() {
        try (ConfigurableApplicationContext context = start(OwnIds.class, "snowflake.enabled=false")) {
            assertThat(JpaShop.save(context.getBean(EntityManagerFactory.class), 1))
                    .containsExactly(42L, 42L);
        }
    }

    static class OwnIds {

        @Bean
        IdGenerator ids() {
            return () -> 42L;
        }
    }

    @Test
    void withoutSpringTheGeneratorIsASetting() {
        IdGenerator ids = () -> 42L;
        Configuration configuration = new Configuration()
                .setProperty("hibernate.connection.url", "jdbc:h2:mem:without-spring")
                .setProperty("hibernate.hbm2ddl.auto", "create-drop")
                .addAnnotatedClass(JpaEntities.LongId.class)
                .addAnnotatedClass(JpaEntities.Named.class);
        configuration.getProperties().put(SnowflakeSettings.ID_GENERATOR, ids);
        try (SessionFactory factory = configuration.buildSessionFactory()) {
            assertThat(JpaShop.save(factory, 1)).containsExactly(42L, 42L);
        }
    }

    @Test
    void aDurationNeedsAUnitAndAnUnquotedInstantIsOne(CapturedOutput output) {
        String units = "--spring.config.additional-location=classpath:units/";
        assertThatThrownBy(() -> run(units)).isNotNull();
        assertThat(output).contains("""
                        Property 'snowflake.clock.max-wait' must be a duration with its unit, such as 500ms, 90s, 15m, 1h or 1d, but was '5' \
                        (class path resource [units/application.yml] - 4:15).

                        Action:

                        Set a duration with its unit, such as 500ms, 90s, 15m, 1h or 1d.
                        """);

        try (ConfigurableApplicationContext context = run(units, "--snowflake.clock.max-wait=5s")) {
            assertThat(context.getBean(IdLayout.class).epoch()).isEqualTo("2024-02-29T12:00:00Z");
        }
    }

    @Test
    void anEpochIsNoNumber(CapturedOutput output) {
        assertThatThrownBy(() -> run("--snowflake.epoch=1735689600")).isNotNull();

        assertThat(output).contains("""
                        Property 'snowflake.epoch' must be an instant in UTC, such as 2025-01-01T00:00:00Z, but was '1735689600' \
                        ("snowflake.epoch" from property source "commandLineArgs").

                        Action:

                        Set an instant in UTC, such as 2025-01-01T00:00:00Z.
                        """);
    }

    @Test
    void aMisspelledPropertyIsNotIgnored(CapturedOutput output) {
        assertThatThrownBy(() -> run("--snowflake.worker.leese.ttl=90s")).isNotNull();

        assertThat(output).contains("""
                        Property 'snowflake.worker.leese.ttl' is unknown ("snowflake.worker.leese.ttl" from property source \
                        "commandLineArgs"). Did you mean 'snowflake.worker.lease.ttl'?

                        Action:

                        Rename 'snowflake.worker.leese.ttl' to 'snowflake.worker.lease.ttl'.
                        """);
    }

    private static ConfigurableApplicationContext run(String... arguments) {
        return new SpringApplicationBuilder(JpaShop.class)
                .web(WebApplicationType.NONE)
                .run(arguments);
    }

    private static ConfigurableApplicationContext start(Class<?> source, String... properties) {
        return new SpringApplicationBuilder(JpaShop.class, source)
                .web(WebApplicationType.NONE)
                .properties(properties)
                .run();
    }

    static class WrongFactory {

        @Bean
        @Primary
        LocalContainerEntityManagerFactoryBean entityManagerFactory(@Value("${packages}") String packages) {
            JdbcDataSource database = new JdbcDataSource();
            database.setUrl("jdbc:h2:mem:wrong");
            LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
            factory.setDataSource(database);
            factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
            factory.setPackagesToScan(packages);
            return factory;
        }
    }
}
