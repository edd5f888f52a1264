package io.github.snowflakeid.hibernate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.hibernate.mapping.GeneratorCreator;
import org.hibernate.mapping.SimpleValue;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.TypeHint;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.core.io.support.SpringFactoriesLoader;

class IdGeneratorHintsTests {

    @Test
    void coverClassesThatHibernateFindsByName() throws Exception {
        RuntimeHints hints = hints(getClass().getClassLoader());

        assertThat(RuntimeHintsPredicates.resource()
                        .forResource("META-INF/services/org.hibernate.boot.spi.MetadataSourcesContributor"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.resource()
                        .forResource("META-INF/services/org.hibernate.boot.spi.AdditionalMappingContributor"))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(IdContributor.class)
                        .withMemberCategory(MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(NamedIdGenerator.class)
                        .withMemberCategory(MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onType(Class.forName("io.github.snowflakeid.hibernate.package-info")))
                .accepts(hints);
    }

    @Test
    void coverTheSetterThatIsCalledByReflectionSinceHibernate7() {
        TypeHint hint = Objects.requireNonNull(
                hints(getClass().getClassLoader()).reflection().getTypeHint(SimpleValue.class));

        assertThat(hint.methods()).singleElement().satisfies(setter -> {
            assertThat(setter.getName()).isEqualTo("setCustomIdGeneratorCreator");
            assertThat(setter.getParameterTypes()).containsExactly(TypeReference.of(GeneratorCreator.class));
            assertThat(setter.getMode()).isEqualTo(ExecutableMode.INVOKE);
        });
    }

    @Test
    void areEmptyWithoutHibernate() {
        RuntimeHints hints = new RuntimeHints();
        new IdGeneratorHints().registerHints(hints, new FilteredClassLoader("org.hibernate"));

        assertThat(hints.reflection().typeHints()).isEmpty();
        assertThat(hints.resources().resourcePatternHints()).isEmpty();
    }

    private static RuntimeHints hints(ClassLoader classLoader) {
        RuntimeHints hints = new RuntimeHints();
        SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories", classLoader)
                .load(RuntimeHintsRegistrar.class)
                .stream()
                .filter(IdGeneratorHints.class::isInstance)
                .forEach(registrar -> registrar.registerHints(hints, classLoader));
        return hints;
    }
}
