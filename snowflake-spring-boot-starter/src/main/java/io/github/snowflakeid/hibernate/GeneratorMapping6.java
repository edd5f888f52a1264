package io.github.snowflakeid.hibernate;

import jakarta.persistence.GeneratedValue;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import org.hibernate.annotations.common.reflection.ReflectionManager;
import org.hibernate.boot.spi.InFlightMetadataCollector;
import org.hibernate.mapping.RootClass;
import org.hibernate.mapping.SimpleValue;
import org.jspecify.annotations.Nullable;

/** That of Hibernate 6. */
final class GeneratorMapping6 implements GeneratorMapping {

    private final InFlightMetadataCollector metadata;
    private final ReflectionManager annotations;

    GeneratorMapping6(InFlightMetadataCollector metadata) {
        this.metadata = metadata;
        this.annotations = metadata.getBootstrapContext().getReflectionManager();
    }

    @Override
    public @Nullable GeneratedValue generatedValue(Member id) {
        return annotations.buildAnnotationReader((AnnotatedElement) id).getAnnotation(GeneratedValue.class);
    }

    @Override
    public boolean isDefined(String generator, RootClass entity) {
        return metadata.getIdentifierGenerator(generator) != null;
    }

    @Override
    public void install(AnnotatedIdGenerator generator, SimpleValue id) {
        id.setCustomIdGeneratorCreator(context -> generator);
    }
}
