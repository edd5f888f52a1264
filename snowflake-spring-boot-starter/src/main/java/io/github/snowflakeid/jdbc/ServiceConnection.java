package io.github.snowflakeid.jdbc;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The database of a bean of type {@code JdbcConnectionDetails}, which {@code @ServiceConnection} and Docker Compose
 * define, also if the application has no {@code DataSource}. The methods are called by reflection, because each line of
 * Spring Boot has the type in another package.
 *
 * @param type the type of the bean
 * @param details the bean
 */
record ServiceConnection(Class<?> type, Object details) {

    static final List<String> TYPES = List.of(
            "org.springframework.boot.autoconfigure.jdbc.JdbcConnectionDetails",
            "org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails");

    /** Returns the only bean; null if there is none. */
    static @Nullable ServiceConnection find(ListableBeanFactory beans) {
        ClassLoader loader = ServiceConnection.class.getClassLoader();
        for (String name : TYPES) {
            if (ClassUtils.isPresent(name, loader)) {
                Class<?> type = ClassUtils.resolveClassName(name, loader);
                Object details = beans.getBeanProvider(type).getIfUnique();
                return details == null ? null : new ServiceConnection(type, details);
            }
        }
        return null;
    }

    ConnectionSettings settings() {
        return new ConnectionSettings(
                Objects.requireNonNull(call("getJdbcUrl")), call("getUsername"), call("getPassword"));
    }

    private @Nullable String call(String getter) {
        Method method = Objects.requireNonNull(ReflectionUtils.findMethod(type, getter));
        return (String) ReflectionUtils.invokeMethod(method, details);
    }
}
