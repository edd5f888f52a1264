package io.github.snowflakeid.it.mybatisplus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.baomidou.mybatisplus.autoconfigure.MybatisPlusPropertiesCustomizer;
import com.baomidou.mybatisplus.core.incrementer.IdentifierGenerator;
import com.baomidou.mybatisplus.core.mapper.BaseMapper;
import com.baomidou.mybatisplus.core.toolkit.GlobalConfigUtils;
import com.baomidou.mybatisplus.core.toolkit.IdWorker;
import io.github.snowflakeid.GeneratorClosedException;
import io.github.snowflakeid.IdFields;
import io.github.snowflakeid.IdLayout;
import java.util.Map;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;

@ExtendWith(OutputCaptureExtension.class)
class MyBatisPlusContextTests {

    @Test
    void noWorkerIdIsGuessed(CapturedOutput output) {
        try (ConfigurableApplicationContext context = start(MyBatisPlusShop.class, Early.class)) {
            assertIsOurs(context.getBean(Early.class).id);
            assertIsOurs(IdWorker.getId());
        }
        assertThatThrownBy(IdWorker::getId).isInstanceOf(GeneratorClosedException.class);
        assertThat(output).contains("DEBUG").doesNotContain("Initialization Sequence");
    }

    @Test
    void idsOfASqlSessionFactoryOfTheApplicationAreTheSame() {
        try (ConfigurableApplicationContext context = start(MyBatisPlusShop.class, OwnFactories.class)) {
            for (String factory : new String[] {"made", "makes"}) {
                MyBatisPlusPurchase purchase = new MyBatisPlusPurchase("Ada");
                try (SqlSession session =
                        context.getBean(factory, SqlSessionFactory.class).openSession()) {
                    session.getConfiguration().addMapper(OtherMapper.class);
                    session.getMapper(OtherMapper.class).insert(purchase);
                }

                assertIsOurs(purchase.getId());
            }
            assertIsOurs(IdWorker.getId());
        }
    }

    @Test
    void keepsAGeneratorThatAFactoryOfTheApplicationHas() {
        try (ConfigurableApplicationContext context = start(MyBatisPlusShop.class, OwnFactories.WithSettings.class)) {
            assertThat(GlobalConfigUtils.getGlobalConfig(
                                    context.getBean(SqlSessionFactory.class).getConfiguration())
                            .getIdentifierGenerator()
                            .nextId(null))
                    .isEqualTo(7L);
        }
    }

    @Test
    void givesWayToAnIdentifierGeneratorOfTheApplication() {
        try (ConfigurableApplicationContext context = start(MyBatisPlusShop.class, OwnIdentifiers.class)) {
            MyBatisPlusPurchase purchase = new MyBatisPlusPurchase("Ada");
            context.getBean(MyBatisPlusPurchaseMapper.class).insert(purchase);

            assertThat(purchase.getId()).isEqualTo(7);
            assertThat(IdWorker.getId()).isEqualTo(7);
            assertThat(context.getBeansOfType(IdentifierGenerator.class)).containsOnlyKeys("sevens");
        }
    }

    @Test
    void givesWayToAGeneratorThatACustomizerOfTheApplicationSets() {
        try (ConfigurableApplicationContext context = start(MyBatisPlusShop.class, Early.class, OwnCustomizer.class)) {
            MyBatisPlusPurchase purchase = new MyBatisPlusPurchase("Ada");
            context.getBean(MyBatisPlusPurchaseMapper.class).insert(purchase);

            assertThat(purchase.getId()).isEqualTo(7);
            assertThat(IdWorker.getId()).isEqualTo(7);
        }
    }

    @ParameterizedTest
    @CsvSource({"default, true", "twitter, false"})
    void warnsIfNewRowsSortBeforeRowsOfMyBatisPlus(String layout, boolean isReported, CapturedOutput output) {
        SpringApplication application = new SpringApplication(MyBatisPlusShop.class, RowOfMyBatisPlus.class);
        application.setDefaultProperties(Map.of("spring.datasource.generate-unique-name", "true"));

        application.run("--snowflake.layout=" + layout).close();

        assertThat(output.getOut()
                        .contains("New rows will sort before existing ones: table 'purchase' has the key"
                                + " 1541815603606036480, new IDs begin with "))
                .isEqualTo(isReported);
    }

    private static void assertIsOurs(long id) {
        IdFields fields = IdLayout.presets().get("twitter").decode(id);
        assertThat(fields.datacenterId()).isEqualTo(21);
        assertThat(fields.workerId()).isEqualTo(22);
    }

    private static ConfigurableApplicationContext start(Class<?>... sources) {
        SpringApplication application = new SpringApplication(sources);
        application.setDefaultProperties(Map.of(
                "spring.datasource.generate-unique-name", "true",
                "snowflake.datacenter.id", "21",
                "snowflake.worker.id", "22",
                "snowflake.generators.tickets.worker.id", "22",
                "logging.level.com.baomidou", "debug"));
        return application.run();
    }

    /** Requests an ID before MyBatis-Plus has started. */
    static class Early {

        private final long id = IdWorker.getId();
    }

    static class RowOfMyBatisPlus {

        @Bean
        Object row(JdbcTemplate jdbc) {
            return jdbc.update("INSERT INTO purchase VALUES (1541815603606036480, 'Ada')");
        }
    }

    interface OtherMapper extends BaseMapper<MyBatisPlusPurchase> {}

    static class OwnIdentifiers {

        @Bean
        IdentifierGenerator sevens() {
            return entity -> 7L;
        }
    }

    static class OwnCustomizer {

        @Bean
        MybatisPlusPropertiesCustomizer sevens() {
            return properties -> properties.getGlobalConfig().setIdentifierGenerator(entity -> 7L);
        }
    }
}
