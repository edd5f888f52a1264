package io.github.snowflakeid.it.mybatis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.failure.ConfigurationException;
import jakarta.annotation.PreDestroy;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.ibatis.session.SqlSessionFactory;
import org.junit.jupiter.api.Test;
import org.mybatis.spring.SqlSessionFactoryBean;
import org.mybatis.spring.annotation.MapperScan;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.core.io.ClassPathResource;

class MyBatisContextTests {

    @Test
    void fillsParametersInASqlSessionFactoryOfTheApplication() {
        try (ConfigurableApplicationContext context = start(OwnFactories.class)) {
            for (String factory : new String[] {"made", "makes"}) {
                MyBatisPurchase purchase = new MyBatisPurchase("Ada");
                context.getBean(factory, SqlSessionFactory.class)
                        .openSession()
                        .insert("io.github.snowflakeid.it.mybatis.MyBatisTicketMapper.insertWhatIsSet", purchase);

                assertThat(purchase.getId()).as(factory).isPositive();
            }
        }
    }

    @Test
    void beansGetIdsWhileTheyAreDestroyed() {
        ConfigurableApplicationContext context = start(MyBatisShop.class, Closing.class);
        Closing closing = context.getBean(Closing.class);

        context.close();

        assertThat(closing.last.getId()).isPositive();
    }

    @Test
    void fillsParametersOfAMapperThatIsCreatedLater() {
        try (ConfigurableApplicationContext context =
                start(new Class<?>[] {MyBatisShop.class}, "--spring.main.lazy-initialization=true")) {
            MyBatisPurchase purchase = new MyBatisPurchase("Ada");

            context.getBean(MyBatisPurchaseMapper.class).insert(purchase);

            assertThat(purchase.getId()).isPositive();
        }
    }

    @Test
    void rejectsAnInsertWithoutIdWhenItIsSwitchedOff() {
        try (ConfigurableApplicationContext context =
                start(new Class<?>[] {MyBatisShop.class}, "--snowflake.enabled=false")) {
            MyBatisPurchaseMapper purchases = context.getBean(MyBatisPurchaseMapper.class);
            MyBatisPurchase own = new MyBatisPurchase("Ada");
            own.setId(42L);
            purchases.insert(own);

            assertThatThrownBy(() -> purchases.insert(new MyBatisPurchase("Ada")))
                    .hasRootCauseInstanceOf(ConfigurationException.class)
                    .hasRootCauseMessage(
                            "No Snowflake ID for attribute 'id' of io.github.snowflakeid.it.mybatis.MyBatisPurchase: there is no IdGenerator bean")
                    .hasStackTraceContaining("""
                            Enable the generator:

                            snowflake.enabled: true

                            or set the attribute before the object is saved.""");
            assertThat(purchases.findAll()).extracting(MyBatisPurchase::getId).containsExactly(42L);
        }
    }

    private static ConfigurableApplicationContext start(Class<?>... sources) {
        return start(sources, new String[0]);
    }

    private static ConfigurableApplicationContext start(Class<?>[] sources, String... arguments) {
        SpringApplication application = new SpringApplication(sources);
        application.setDefaultProperties(Map.of("spring.datasource.generate-unique-name", "true"));
        return application.run(arguments);
    }

    @Configuration(proxyBeanMethods = false)
    @Import(MyBatisShop.class)
    @MapperScan(basePackageClasses = MyBatisShop.class, annotationClass = Override.class)
    static class OwnFactories {

        @Bean
        @Primary
        SqlSessionFactory made(DataSource database) throws Exception {
            return makes(database).getObject();
        }

        @Bean
        SqlSessionFactoryBean makes(DataSource database) {
            SqlSessionFactoryBean factory = new SqlSessionFactoryBean();
            factory.setDataSource(database);
            factory.setMapperLocations(new ClassPathResource("mapper/MyBatisTicketMapper.xml"));
            return factory;
        }
    }

    static class Closing {

        private final MyBatisPurchaseMapper purchases;
        private final MyBatisPurchase last = new MyBatisPurchase("Ada");

        Closing(MyBatisPurchaseMapper purchases) {
            this.purchases = purchases;
        }

        @PreDestroy
        void insertTheLast() {
            purchases.insert(last);
        }
    }
}
