package io.github.snowflakeid.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.hibernate.SnowflakeId;
import io.github.snowflakeid.wrong.WrongType;
import io.github.snowflakeid.wrong.named.WrongNamedType;
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
class FailureTests {

    @Test
    void namesTheAttributeThatCannotHoldAnId(CapturedOutput output) {
        assertThatThrownBy(() -> start(WrongFactory.class, "packages=io.github.snowflakeid.wrong"))
                .isNotNull();

        assertThat(output).contains("""
                        Description:

                        Attribute 'key' of %s must be a Long, a long, a String or a BigInteger to hold a Snowflake id, but is a java.util.UUID.

                        Action:

                        Change the type of the attribute:

                        @SnowflakeId
                        private Long key;
                        """.formatted(WrongType.class.getName()));
    }

    @Test
    void namesTheAttributeOfANamedGeneratorThatCannotHoldAnId(CapturedOutput output) {
        assertThatThrownBy(() -> start(WrongFactory.class, "packages=io.github.snowflakeid.wrong.named"))
                .isNotNull();

        assertThat(output).contains("""
                        Description:

                        Attribute 'key' of %s must be a Long, a long, a String or a BigInteger to hold a Snowflake id, but is a java.lang.Integer.

                        Action:

                        Change the type of the attribute:

                        @Id
                        @GeneratedValue(generator = "snowflake")
                        private Long key;
                        """.formatted(WrongNamedType.class.getName()));
    }

    @Test
    void withoutIdsAnEntityIsNotSaved() {
        try (ConfigurableApplicationContext context = start(Shop.class, "snowflake.enabled=false")) {
            EntityManagerFactory factory = context.getBean(EntityManagerFactory.class);

            assertThatThrownBy(() -> Shop.save(factory, 1))
                    .hasMessage(
                            "No Snowflake ids for attribute 'id' of io.github.snowflakeid.it.Entities$LongId: setting"
                                    + " 'snowflake.id-generator' of its EntityManagerFactory is missing");
        }
    }

    @Test
    void withoutSpringTheGeneratorIsASetting() {
        IdGenerator ids = () -> 42L;
        Configuration configuration = new Configuration()
                .setProperty("hibernate.connection.url", "jdbc:h2:mem:without-spring")
                .setProperty("hibernate.hbm2ddl.auto", "create-drop")
                .addAnnotatedClass(Entities.LongId.class)
                .addAnnotatedClass(Entities.Named.class);
        configuration.getProperties().put(SnowflakeId.ID_GENERATOR, ids);
        try (SessionFactory factory = configuration.buildSessionFactory()) {
            assertThat(Shop.save(factory, 1)).containsExactly(42L, 42L);
        }
    }

    private static ConfigurableApplicationContext start(Class<?> source, String... properties) {
        return new SpringApplicationBuilder(Shop.class, source)
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
