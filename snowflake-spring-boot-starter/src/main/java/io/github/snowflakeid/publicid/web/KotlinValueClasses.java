package io.github.snowflakeid.publicid.web;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import kotlin.jvm.JvmClassMappingKt;
import kotlin.reflect.KClass;
import kotlin.reflect.KFunction;
import kotlin.reflect.KParameter;
import kotlin.reflect.KType;
import kotlin.reflect.jvm.ReflectJvmMapping;

/**
 * Finds value classes in the signatures of Kotlin functions. In Java signatures, a value class is replaced by the type
 * that it wraps. Requires Kotlin reflection.
 */
final class KotlinValueClasses {

    private KotlinValueClasses() {}

    /** Returns the value classes among the parameter and return types of a function. */
    static List<Class<?>> in(Method method) {
        KFunction<?> function = ReflectJvmMapping.getKotlinFunction(method);
        if (function == null) {
            return List.of();
        }
        return Stream.concat(
                        Stream.of(function.getReturnType()),
                        function.getParameters().stream().map(KParameter::getType))
                .map(KType::getClassifier)
                .filter(type -> type instanceof KClass<?> kotlinClass && kotlinClass.isValue())
                .<Class<?>>map(type -> JvmClassMappingKt.getJavaClass((KClass<?>) type))
                .toList();
    }
}
