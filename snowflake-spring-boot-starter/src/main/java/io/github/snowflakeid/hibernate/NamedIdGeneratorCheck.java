package io.github.snowflakeid.hibernate;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.failure.Problem;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.util.List;
import org.hibernate.boot.spi.InFlightMetadataCollector;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.RootClass;
import org.jspecify.annotations.Nullable;

/** Refuses generators whose names begin like ours, but that are not defined: Hibernate would make sequences of them. */
final class NamedIdGeneratorCheck {

    private final InFlightMetadataCollector metadata;
    private final GeneratorMapping mapping;

    NamedIdGeneratorCheck(InFlightMetadataCollector metadata, GeneratorMapping mapping) {
        this.metadata = metadata;
        this.mapping = mapping;
    }

    /** @throws ConfigurationException if an id would come from a sequence that nobody asked for */
    void refuseUndefined() {
        for (PersistentClass entity : metadata.getEntityBindings()) {
            if (entity instanceof RootClass root && entity.getClassName() != null) {
                @Nullable Property id = root.getIdentifierProperty();
                if (id != null) {
                    refuseUndefined(List.of(id), root.getMappedClass(), root.getEntityName(), root);
                }
                if (root.getIdentifier() instanceof Component key) {
                    refuseUndefined(key.getProperties(), key.getComponentClass(), key.getComponentClassName(), root);
                }
                @Nullable Component ofIdClass = root.getIdentifierMapper();
                if (ofIdClass != null) {
                    refuseUndefined(ofIdClass.getProperties(), root.getMappedClass(), root.getEntityName(), root);
                }
            }
        }
    }

    private void refuseUndefined(List<Property> ids, Class<?> type, String owner, RootClass entity) {
        for (Property id : ids) {
            @Nullable Member member = id.getGetter(type).getMember();
            @Nullable GeneratedValue generated = member == null ? null : mapping.generatedValue(member);
            if (member != null && generated != null && isUndefined(generated, entity)) {
                throw undefined(generated.generator(), owner, id, isAnnotated(member, generated));
            }
        }
    }

    private boolean isUndefined(GeneratedValue generated, RootClass entity) {
        return generated.strategy() == GenerationType.AUTO
                && generated.generator().startsWith(NamedIdGenerator.NAME)
                && !generated.generator().equals(NamedIdGenerator.NAME)
                && !mapping.isDefined(generated.generator(), entity);
    }

    /** Whether the name is in the source, rather than in an XML document. */
    private static boolean isAnnotated(Member member, GeneratedValue generated) {
        @Nullable GeneratedValue annotation = ((AnnotatedElement) member).getAnnotation(GeneratedValue.class);
        return annotation != null && annotation.generator().equals(generated.generator());
    }

    private static ConfigurationException undefined(String name, String owner, Property id, boolean annotated) {
        return Problem.UNKNOWN_GENERATOR.exception(
                "Attribute '%s' of %s is to get ids of generator '%s', which is not defined, so that Hibernate would take them from a sequence; the Snowflake ids are those of generator '%s'"
                        .formatted(id.getName(), owner, name, NamedIdGenerator.NAME),
                (annotated ? """
                        Correct the name:

                        @GeneratedValue(generator = "%1$s")
                        private Long %2$s;

                        or, if a sequence is meant, say so:

                        @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "%3$s")""" : """
                        Correct the name in the XML that maps it:

                        <id name="%2$s">
                            <generated-value generator="%1$s"/>
                        </id>

                        or, if a sequence is meant, say so:

                        <id name="%2$s">
                            <generated-value strategy="SEQUENCE" generator="%3$s"/>
                        </id>""").formatted(NamedIdGenerator.NAME, id.getName(), name));
    }
}
