package io.github.snowflakeid.internal.text;

import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import kotlin.jvm.JvmClassMappingKt;
import kotlin.reflect.KCallable;
import kotlin.reflect.KClass;
import kotlin.reflect.KParameter;
import kotlin.reflect.KType;
import kotlin.reflect.jvm.ReflectJvmMapping;
import org.springframework.core.KotlinDetector;

/**
 * Finds value classes of Kotlin, each of which is replaced by the type that it wraps in signatures and fields. Finds
 * none without Kotlin's reflection.
 */
public final class KotlinValueClasses {

    private KotlinValueClasses() {}

    /**
     * Returns the value classes that a member uses.
     *
     * @param member a method or a field
     * @return the classes of its parameters and its result, or of the property that has the field
     */
    public static List<Class<?>> in(Member member) {
        return KotlinDetector.isKotlinReflectPresent() && KotlinDetector.isKotlinType(member.getDeclaringClass())
                ? Reflection.in(member)
                : List.of();
    }

    private static final class Reflection {

        private static List<Class<?>> in(Member member) {
            KCallable<?> callable = member instanceof Method method
                    ? ReflectJvmMapping.getKotlinFunction(method)
                    : ReflectJvmMapping.getKotlinProperty((Field) member);
            if (callable == null) {
                return List.of();
            }
            return Stream.concat(
                            Stream.of(callable.getReturnType()),
                            callable.getParameters().stream().map(KParameter::getType))
                    .map(KType::getClassifier)
                    .filter(type -> type instanceof KClass<?> kotlinClass && kotlinClass.isValue())
                    .<Class<?>>map(type -> JvmClassMappingKt.getJavaClass((KClass<?>) type))
                    .toList();
        }
    }
}
