package io.github.snowflakeid.publicid.web;

import io.github.snowflakeid.internal.beans.BeanChange;
import io.github.snowflakeid.internal.text.IdTextConverter;
import io.github.snowflakeid.text.PublicIds;
import java.util.List;
import java.util.stream.Stream;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.target.EmptyTargetSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.service.annotation.HttpExchange;

/**
 * Auto-configuration of IDs in paths, parameters and headers of clients with {@link HttpExchange} that are beans,
 * whatever conversion service they have.
 *
 * @since 1.0
 */
@AutoConfiguration
@ConditionalOnClass(HttpExchange.class)
public final class SnowflakeHttpExchangeAutoConfiguration {

    SnowflakeHttpExchangeAutoConfiguration() {}

    @Bean("snowflake.exchangedIds")
    static BeanChange snowflakeExchangedIds(
            ObjectProvider<PublicIds> publicIds, ObjectProvider<IdTextConverter> converter) {
        RequestIds ids = new RequestIds(publicIds);
        return new BeanChange((bean, name) -> {
            // A proxy with a target is a controller, which may implement the same interface.
            if (bean instanceof Advised client && client.getTargetSource() instanceof EmptyTargetSource) {
                List<HandlerMethod> methods = Stream.of(client.getProxiedInterfaces())
                        .flatMap(type -> Stream.of(type.getMethods()))
                        .filter(method -> AnnotatedElementUtils.hasAnnotation(method, HttpExchange.class))
                        .map(method -> new HandlerMethod(client, method))
                        .toList();
                if (!methods.isEmpty()) {
                    ids.check(methods);
                    client.addAdvice(0, (MethodInterceptor) call -> converted(call, converter.getObject()));
                }
            }
            return bean;
        });
    }

    /**
     * Converts IDs before Spring does, whose conversion service may not know the annotations. Spring does not convert
     * texts.
     */
    private static @Nullable Object converted(MethodInvocation call, IdTextConverter converter) throws Throwable {
        @Nullable Object[] arguments = call.getArguments().clone();
        for (int i = 0; i < call.getMethod().getParameterCount(); i++) {
            MethodParameter parameter = new MethodParameter(call.getMethod(), i);
            if (!RequestIds.isBody(parameter) && !parameter.hasParameterAnnotation(RequestAttribute.class)) {
                arguments[i] = converter.write(arguments[i], parameter::getParameterAnnotation);
            }
        }
        ((ProxyMethodInvocation) call).setArguments(arguments);
        return call.proceed();
    }
}
