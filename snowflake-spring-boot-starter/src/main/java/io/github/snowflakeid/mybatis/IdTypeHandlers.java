package io.github.snowflakeid.mybatis;

import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMembers;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.ibatis.type.TypeHandlerRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * Registers an {@link IdTypeHandler} for each type that wraps an ID and that a mapper uses: as a parameter, a result,
 * or an attribute of one. MyBatis needs the handlers before it parses the mappers, so the types are found through the
 * bean definitions of the mappers. A handler that the application registers takes precedence.
 *
 * @hidden
 */
public final class IdTypeHandlers {

    private final ConfigurableListableBeanFactory beans;
    private final SnowflakeIdMembers annotated = new SnowflakeIdMembers();

    /**
     * Creates the registration for a context.
     *
     * @param beans the beans of the context
     */
    public IdTypeHandlers(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * Registers the handlers.
     *
     * @param registry the registry of a configuration whose mappers are not parsed yet
     */
    public void registerIn(TypeHandlerRegistry registry) {
        for (String bean : beans.getBeanDefinitionNames()) {
            if (beans.getMergedBeanDefinition(bean).hasAttribute(FactoryBean.OBJECT_TYPE_ATTRIBUTE)) {
                @Nullable Class<?> mapper = beans.getType(bean, false);
                if (mapper != null && mapper.isInterface()) {
                    typesIn(mapper).forEach(type -> registerIdTypes(type, registry));
                }
            }
        }
    }

    /** Returns the types of parameters and results. */
    private static Set<Class<?>> typesIn(Class<?> mapper) {
        Set<Class<?>> types = new LinkedHashSet<>();
        for (Method method : mapper.getMethods()) {
            SnowflakeIdMembers.classesIn(ResolvableType.forMethodReturnType(method, mapper))
                    .forEach(types::add);
            for (int i = 0; i < method.getParameterCount(); i++) {
                SnowflakeIdMembers.classesIn(ResolvableType.forMethodParameter(method, i, mapper))
                        .forEach(types::add);
            }
        }
        return types;
    }

    private void registerIdTypes(Class<?> type, TypeHandlerRegistry registry) {
        if (!ClassUtils.isPrimitiveOrWrapper(type) && !type.getName().startsWith("java.")) {
            annotated.typedIdsIn(type).stream()
                    .map(IdType::javaType)
                    .filter(id -> !registry.hasTypeHandler(id))
                    .forEach(id -> registry.register(id, IdTypeHandler.class));
        }
    }
}
