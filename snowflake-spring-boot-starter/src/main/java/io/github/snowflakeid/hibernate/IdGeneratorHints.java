package io.github.snowflakeid.hibernate;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeReference;
import org.springframework.util.ClassUtils;

/** Registers what Hibernate looks up by name or by annotation, since ahead-of-time processing does not detect it. */
final class IdGeneratorHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        if (ClassUtils.isPresent("org.hibernate.generator.Generator", classLoader)) {
            hints.resources().registerPattern("META-INF/services/org.hibernate.boot.*");
            for (String name : List.of("IdContributor", "NamedIdGenerator", "package-info")) {
                hints.reflection()
                        .registerType(
                                ClassUtils.resolveClassName(getClass().getPackageName() + "." + name, classLoader),
                                MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS);
            }
            method(
                    hints,
                    "org.hibernate.mapping.SimpleValue",
                    "setCustomIdGeneratorCreator",
                    "org.hibernate.mapping.GeneratorCreator");
            method(hints, "org.hibernate.mapping.Property", "getGetter", "java.lang.Class");
            method(hints, "org.hibernate.property.access.spi.Getter", "getMember");
        }
    }

    private static void method(RuntimeHints hints, String type, String name, String... parameters) {
        hints.reflection()
                .registerType(
                        TypeReference.of(type),
                        hint -> hint.withMethod(
                                name,
                                Stream.of(parameters).map(TypeReference::of).toList(),
                                ExecutableMode.INVOKE));
    }
}
