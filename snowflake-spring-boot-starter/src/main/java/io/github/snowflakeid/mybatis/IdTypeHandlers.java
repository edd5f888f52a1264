package io.github.snowflakeid.mybatis;

import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMembers;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ibatis.type.TypeHandlerRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;

/**
 * Registers an {@link IdTypeHandler} for each type that wraps an ID and that a mapper uses: as a parameter, a result,
 * or an attribute of one. MyBatis needs the handlers before it parses the mappers, so the types are found through the
 * bean definitions of the mappers. A handler that the application registers takes precedence.
 *
 * @hidden
 */
public final class IdTypeHandlers {

    private IdTypeHandlers() {}

    /**
     * Registers the handlers.
     *
     * @param beans the beans of the context
     * @param registry the registry of a configuration whose mappers are not parsed yet
     */
    public static void register(ConfigurableListableBeanFactory beans, TypeHandlerRegistry registry) {
        SnowflakeIdMembers annotated = new SnowflakeIdMembers();
        for (String bean : beans.getBeanDefinitionNames()) {
            if (beans.getMergedBeanDefinition(bean).hasAttribute(FactoryBean.OBJECT_TYPE_ATTRIBUTE)) {
                @Nullable Class<?> mapper = beans.getType(bean, false);
                if (mapper != null && mapper.isInterface()) {
                    typesIn(mapper)
                            .filter(type -> !type.getName().startsWith("java."))
                            .flatMap(type -> annotated.typedIdsIn(type).stream())
                            .map(IdType::javaType)
                            .filter(id -> !registry.hasTypeHandler(id))
                            .forEach(id -> registry.register(id, IdTypeHandler.class));
                }
            }
        }
    }

    /** Returns the types of parameters and results. */
    private static Stream<Class<?>> typesIn(Class<?> mapper) {
        return Stream.of(mapper.getMethods())
                .flatMap(method -> Stream.concat(
                        Stream.of(ResolvableType.forMethodReturnType(method, mapper)),
                        IntStream.range(0, method.getParameterCount())
                                .mapToObj(index -> ResolvableType.forMethodParameter(method, index, mapper))))
                .flatMap(SnowflakeIdMembers::classesIn)
                .distinct();
    }
}
