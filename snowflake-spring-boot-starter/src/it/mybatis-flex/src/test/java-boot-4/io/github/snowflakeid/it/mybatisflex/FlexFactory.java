package io.github.snowflakeid.it.mybatisflex;

import com.mybatisflex.core.mybatis.FlexConfiguration;
import com.mybatisflex.spring.FlexSqlSessionFactoryBean;
import io.github.snowflakeid.mybatis.IdTypeHandlers;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.DependsOn;

/** A factory without the starter of MyBatis-Flex. */
public class FlexFactory {

    @Bean
    @DependsOn("dataSourceScriptDatabaseInitializer")
    public FlexSqlSessionFactoryBean sqlSessionFactory(DataSource dataSource, ConfigurableListableBeanFactory beans) {
        FlexConfiguration configuration = new FlexConfiguration();
        configuration.setMapUnderscoreToCamelCase(true);
        IdTypeHandlers.register(beans, configuration.getTypeHandlerRegistry());
        FlexSqlSessionFactoryBean factory = new FlexSqlSessionFactoryBean();
        factory.setDataSource(dataSource);
        factory.setConfiguration(configuration);
        return factory;
    }
}
