package io.github.snowflakeid.mybatis;

import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMember;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMembers;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.ibatis.type.TypeHandlerRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

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
        Set<Class<?>> types = new LinkedHashSet<>();
        for (String bean : beans.getBeanDefinitionNames()) {
            Class<?> mapper =
                    mapper(beans.getMergedBeanDefinition(bean).getAttribute(FactoryBean.OBJECT_TYPE_ATTRIBUTE));
            if (mapper != null && mapper.isInterface()) {
                for (Method method : mapper.getMethods()) {
                    add(ResolvableType.forMethodReturnType(method, mapper), types);
                    for (int i = 0; i < method.getParameterCount(); i++) {
                        add(ResolvableType.forMethodParameter(method, i, mapper), types);
                    }
                }
            }
        }
        for (Class<?> type : types) {
            registerIdTypes(type, registry);
        }
    }

    private @Nullable Class<?> mapper(@Nullable Object type) {
        return type instanceof String name
                ? ClassUtils.resolveClassName(name, beans.getBeanClassLoader())
                : type instanceof Class<?> known ? known : null;
    }

    private static void add(ResolvableType type, Set<Class<?>> types) {
        if (type.isArray()) {
            add(type.getComponentType(), types);
        } else {
            types.add(type.toClass());
            for (ResolvableType argument : type.getGenerics()) {
                add(argument, types);
            }
        }
    }

    /**
     * Registers handlers for the typed IDs in a class. A type is a typed ID if it or an attribute of that type is
     * annotated.
     */
    private void registerIdTypes(Class<?> type, TypeHandlerRegistry registry) {
        if (ClassUtils.isPrimitiveOrWrapper(type) || type.getName().startsWith("java.")) {
            return;
        }
        register(type, false, registry);
        Set<String> attributes = annotated.in(type).keySet();
        ReflectionUtils.doWithFields(
                type,
                field -> {
                    Set<Class<?>> candidates = new LinkedHashSet<>();
                    add(ResolvableType.forField(field, type), candidates);
                    candidates.forEach(each -> register(each, attributes.contains(field.getName()), registry));
                },
                field -> !Modifier.isStatic(field.getModifiers()));
        for (SnowflakeIdMember member : annotated.in(type).values()) {
            SnowflakeIdMember.typeOf(member.member()).ifPresent(attribute -> register(attribute, true, registry));
        }
    }

    private static void register(Class<?> type, boolean isAnnotated, TypeHandlerRegistry registry) {
        IdType idType = IdType.of(type);
        if (idType != null
                && idType.isTyped()
                && (isAnnotated || idType.isMarked())
                && !registry.hasTypeHandler(type)) {
            registry.register(type, IdTypeHandler.class);
        }
    }
}
