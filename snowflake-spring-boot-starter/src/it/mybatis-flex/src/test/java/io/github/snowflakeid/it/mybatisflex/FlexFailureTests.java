package io.github.snowflakeid.it.mybatisflex;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.it.flextwoorigins.TwoOriginsMapper;
import io.github.snowflakeid.it.flextypes.FlexTypeMapper.NarrowNumber;
import io.github.snowflakeid.it.flextypes.FlexTypeMapper.NarrowNumbers;
import org.apache.ibatis.session.SqlSessionFactory;
import org.junit.jupiter.api.Test;
import org.mybatis.spring.annotation.MapperScan;
import org.mybatis.spring.mapper.MapperFactoryBean;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

class FlexFailureTests {

    @Test
    void databaseKeysAreRejectedNextToTheAnnotation() {
        assertThatThrownBy(() -> new SpringApplicationBuilder(FlexShop.class, FlexFactory.class, TwoOrigins.class)
                        .run("--spring.datasource.url=jdbc:h2:mem:origins;DB_CLOSE_DELAY=-1"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageEndingWith("TwoOriginsMapper.insert sets it to a key that the database generates");
    }

    @MapperScan(basePackageClasses = TwoOriginsMapper.class)
    static class TwoOrigins {}

    @Test
    void integersAreNotTruncated() {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(
                        FlexShop.class, FlexFactory.class, Narrow.class)
                .run("--spring.datasource.url=jdbc:h2:mem:narrow;DB_CLOSE_DELAY=-1")) {
            assertThatThrownBy(() -> context.getBean(NarrowNumbers.class).insert(new NarrowNumber()))
                    .rootCause()
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("must be a Long, a long, a String or a BigInteger");
        }
    }

    static class Narrow {

        @Bean
        MapperFactoryBean<NarrowNumbers> narrowNumbers(SqlSessionFactory factory) {
            MapperFactoryBean<NarrowNumbers> mapper = new MapperFactoryBean<>(NarrowNumbers.class);
            mapper.setSqlSessionFactory(factory);
            return mapper;
        }
    }
}
