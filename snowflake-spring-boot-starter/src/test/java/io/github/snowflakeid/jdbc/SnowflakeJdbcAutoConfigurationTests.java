package io.github.snowflakeid.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.snowflakeid.IdLayout;
import io.github.snowflakeid.autoconfigure.SnowflakeDataSource;
import io.github.snowflakeid.store.StoreSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ContextAnnotationAutowireCandidateResolver;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class SnowflakeJdbcAutoConfigurationTests {

    @Test
    void scriptsAndPropertiesAreInANativeImage() throws Exception {
        RuntimeHints hints = new RuntimeHints();
        new SnowflakeJdbcAutoConfiguration.Hints()
                .registerHints(hints, getClass().getClassLoader());

        assertThat(RuntimeHintsPredicates.resource().forResource("io/github/snowflakeid/jdbc/schema-postgresql.sql"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethod(JdbcProperties.class.getMethod("setUrl", String.class)))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onConstructor(JdbcLeaseStore.Marked.class.getDeclaredConstructor(ObjectProvider.class))
                        .invoke())
                .accepts(hints);
    }

    /** As in an application that is built ahead of time. */
    @Test
    void markedDatabaseIsFoundWhereNothingProcessesAnnotationsOfBeans() {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.setAutowireCandidateResolver(new ContextAnnotationAutowireCandidateResolver());
        RootBeanDefinition marked = new RootBeanDefinition(DataSource.class, () -> database("marked"));
        marked.addQualifier(new AutowireCandidateQualifier(SnowflakeDataSource.class));
        beans.registerBeanDefinition("marked", marked);
        beans.registerBeanDefinition("other", new RootBeanDefinition(DataSource.class, () -> database("other")));
        List<Object> used = new ArrayList<>();

        new JdbcLeaseStore(beans.getBeanProvider(DataSource.class), beans).open(new Settings(used));

        assertThat(used).containsExactly(beans.getBean("marked"));
    }

    private static DataSource database(String name) {
        return new DriverManagerDataSource("jdbc:h2:mem:" + name);
    }

    private record Settings(List<Object> used) implements StoreSettings {

        @Override
        public String namespace() {
            return "default";
        }

        @Override
        public IdLayout layout() {
            return IdLayout.DEFAULT;
        }

        @Override
        public OptionalInt datacenterId() {
            return OptionalInt.empty();
        }

        @Override
        public Duration ttl() {
            return Duration.ofMinutes(1);
        }

        @Override
        public Duration furthest() {
            return ttl();
        }

        @Override
        public Duration longestAnswer() {
            return Duration.ofSeconds(8);
        }

        @Override
        public String howToSetWorkerId() {
            return "";
        }

        @Override
        public <T> T properties(String group, T defaults) {
            return defaults;
        }

        @Override
        public <T> void endBefore(T bean, Class<T> type) {
            used.add(bean);
        }
    }
}
