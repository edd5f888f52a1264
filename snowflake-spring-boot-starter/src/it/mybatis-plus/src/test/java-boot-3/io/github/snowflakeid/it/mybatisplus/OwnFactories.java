package io.github.snowflakeid.it.mybatisplus;

import com.baomidou.mybatisplus.core.config.GlobalConfig;
import com.baomidou.mybatisplus.extension.spring.MybatisSqlSessionFactoryBean;
import javax.sql.DataSource;
import org.apache.ibatis.session.SqlSessionFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** Factories as in applications with several databases. */
class OwnFactories {

    @Bean
    @Primary
    SqlSessionFactory made(DataSource database) throws Exception {
        return makes(database).getObject();
    }

    @Bean
    MybatisSqlSessionFactoryBean makes(DataSource database) {
        MybatisSqlSessionFactoryBean factory = new MybatisSqlSessionFactoryBean();
        factory.setDataSource(database);
        return factory;
    }

    static class WithSettings {

        @Bean
        SqlSessionFactory factory(DataSource database) throws Exception {
            MybatisSqlSessionFactoryBean factory = new MybatisSqlSessionFactoryBean();
            factory.setDataSource(database);
            factory.setGlobalConfig(new GlobalConfig().setIdentifierGenerator(entity -> 7L));
            return factory.getObject();
        }
    }
}
