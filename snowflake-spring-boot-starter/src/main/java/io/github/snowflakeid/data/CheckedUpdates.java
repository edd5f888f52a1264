package io.github.snowflakeid.data;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Objects;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AbstractAdvisingBeanPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Mono;

/**
 * Lets each update of an entity by an {@link R2dbcEntityTemplate} bean know what it changes, by {@link UpdatedRows} in its Reactor
 * context. Repositories update by such a bean as well. A bean whose class cannot be extended stays as it is.
 */
final class CheckedUpdates extends AbstractAdvisingBeanPostProcessor {

    private static final long serialVersionUID = 1L;

    CheckedUpdates() {
        advisor = new DefaultPointcutAdvisor(new UpdateOfAnEntity(), (MethodInterceptor) CheckedUpdates::update);
        // Who asks for the class of the template has to find it.
        setProxyTargetClass(true);
    }

    @Override
    protected boolean isEligible(Class<?> type) {
        return R2dbcEntityTemplate.class.isAssignableFrom(type) && mayBeExtended(type) && super.isEligible(type);
    }

    /** A final method would run on the proxy itself, which has no state. */
    private static boolean mayBeExtended(Class<?> type) {
        for (Method method : type.getMethods()) {
            if (Modifier.isFinal(method.getModifiers()) && method.getDeclaringClass() != Object.class) {
                return false;
            }
        }
        return !Modifier.isFinal(type.getModifiers());
    }

    private static @Nullable Object update(MethodInvocation update) throws Throwable {
        Object saved = update.proceed();
        if (!(saved instanceof Mono<?> updated)) {
            return saved;
        }
        R2dbcEntityTemplate template = (R2dbcEntityTemplate) Objects.requireNonNull(update.getThis());
        Class<?> type = ClassUtils.getUserClass(Objects.requireNonNull(update.getArguments()[0]));
        return updated.contextWrite(context -> context.put(UpdatedRows.class, new UpdatedRows(template, type)));
    }

    /** Not by a query: that may well change nothing. */
    private static final class UpdateOfAnEntity extends StaticMethodMatcherPointcut {

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return method.getName().equals("update")
                    && method.getParameterCount() == 1
                    && method.getParameterTypes()[0] == Object.class;
        }
    }
}
