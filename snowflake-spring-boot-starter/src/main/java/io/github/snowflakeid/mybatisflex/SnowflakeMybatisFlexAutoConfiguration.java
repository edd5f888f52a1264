package io.github.snowflakeid.mybatisflex;

import com.mybatisflex.core.keygen.KeyGeneratorFactory;
import com.mybatisflex.core.table.IdInfo;
import com.mybatisflex.core.table.TableInfoFactory;
import com.mybatisflex.spring.boot.ConfigurationCustomizer;
import io.github.snowflakeid.IdGenerator;
import io.github.snowflakeid.autoconfigure.SnowflakeAutoConfiguration;
import io.github.snowflakeid.internal.mapping.IdGenerators;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.mybatis.IdTypeHandlers;
import io.github.snowflakeid.mybatis.SnowflakeMybatisAutoConfiguration;
import java.util.Map;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of the key generator {@code snowflake} of MyBatis-Flex:
 * {@code @Id(keyType = KeyType.Generator, value = "snowflake")}. Other key generators stay.
 * {@link SnowflakeMybatisAutoConfiguration} sets attributes with {@link io.github.snowflakeid.SnowflakeId} before
 * MyBatis-Flex generates keys.
 *
 * @since 1.0
 */
@AutoConfiguration(after = SnowflakeAutoConfiguration.class, before = SnowflakeMybatisAutoConfiguration.class)
@ConditionalOnClass(KeyGeneratorFactory.class)
public final class SnowflakeMybatisFlexAutoConfiguration {

    private static final String NAME = "snowflake";

    SnowflakeMybatisFlexAutoConfiguration() {}

    /** Registers the key generator early, because MyBatis-Flex looks it up when it parses mappers. */
    @Bean("snowflake.mybatisFlexKeyGenerator")
    static BeanFactoryPostProcessor snowflakeMybatisFlexKeyGenerator() {
        return beans -> {
            IdGenerators generators = new IdGenerators(beans);
            KeyGeneratorFactory.register(NAME, (row, column) -> key(row, column, generators));
        };
    }

    /** @param row an entity, or a {@code Row} of MyBatis-Flex */
    private static Object key(Object row, String column, IdGenerators generators) {
        if (!(row instanceof Map)) {
            for (IdInfo key : TableInfoFactory.ofEntityClass(row.getClass()).getPrimaryKeyList()) {
                if (key.getColumn().equals(column)) {
                    String written = "@Id(keyType = KeyType.Generator, value = \"snowflake\")";
                    String owner = row.getClass().getName();
                    IdGenerator ids = generators.get("", "'" + key.getProperty() + "' of " + owner);
                    return IdType.of(key.getPropertyType(), key.getProperty(), owner, written)
                            .requireRoom(ids, "", key.getProperty(), owner, written)
                            .convert(ids.nextId());
                }
            }
        }
        return generators.get("", "'" + column + "' of a row").nextId();
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConfigurationCustomizer.class)
    static class TypeHandlers {

        @Bean("snowflake.mybatisFlexTypeHandlers")
        static ConfigurationCustomizer snowflakeMybatisFlexTypeHandlers(ConfigurableListableBeanFactory beans) {
            return configuration -> IdTypeHandlers.register(beans, configuration.getTypeHandlerRegistry());
        }
    }
}
