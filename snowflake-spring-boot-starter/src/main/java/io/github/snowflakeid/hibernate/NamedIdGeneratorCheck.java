package io.github.snowflakeid.hibernate;

import io.github.snowflakeid.mapping.IdMappingException;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.TableGenerator;
import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.hibernate.annotations.GenericGenerator;
import org.hibernate.boot.spi.InFlightMetadataCollector;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.RootClass;
import org.jspecify.annotations.Nullable;

/** Refuses generators whose names begin like ours, but that are not defined: Hibernate would make sequences of them. */
final class NamedIdGeneratorCheck {

    private NamedIdGeneratorCheck() {}

    static void refuseUndefined(InFlightMetadataCollector metadata) {
        for (PersistentClass entity : metadata.getEntityBindings()) {
            if (entity instanceof RootClass root && entity.getClassName() != null) {
                @Nullable Property id = root.getIdentifierProperty();
                if (id != null) {
                    refuseUndefined(List.of(id), root.getMappedClass(), root.getEntityName(), metadata);
                }
                if (root.getIdentifier() instanceof Component key) {
                    refuseUndefined(
                            key.getProperties(), key.getComponentClass(), key.getComponentClassName(), metadata);
                }
                @Nullable Component ofIdClass = root.getIdentifierMapper();
                if (ofIdClass != null) {
                    refuseUndefined(ofIdClass.getProperties(), root.getMappedClass(), root.getEntityName(), metadata);
                }
            }
        }
    }

    private static void refuseUndefined(
            List<Property> ids, Class<?> type, String owner, InFlightMetadataCollector metadata) {
        for (Property id : ids) {
            if (id.getGetter(type).getMember() instanceof AnnotatedElement member) {
                @Nullable GeneratedValue generated = member.getAnnotation(GeneratedValue.class);
                if (generated != null && isUndefined(generated, metadata)) {
                    throw undefined(generated.generator(), owner, id);
                }
            }
        }
    }

    private static boolean isUndefined(GeneratedValue generated, InFlightMetadataCollector metadata) {
        return generated.strategy() == GenerationType.AUTO
                && generated.generator().startsWith(NamedIdGenerator.NAME)
                && !generated.generator().equals(NamedIdGenerator.NAME)
                && metadata.getIdentifierGenerator(generated.generator()) == null
                && !isDefinedByAnnotation(generated.generator(), metadata);
    }

    /** Hibernate does not tell what is defined at an entity or its id. */
    private static boolean isDefinedByAnnotation(String name, InFlightMetadataCollector metadata) {
        List<AnnotatedElement> elements = new ArrayList<>();
        for (PersistentClass entity : metadata.getEntityBindings()) {
            if (entity.getClassName() != null) {
                addAll(entity.getMappedClass(), elements);
                if (entity.getIdentifier() instanceof Component key) {
                    addAll(key.getComponentClass(), elements);
                }
            }
        }
        return elements.stream()
                .flatMap(element -> Stream.of(
                                Stream.of(element.getAnnotationsByType(SequenceGenerator.class))
                                        .map(SequenceGenerator::name),
                                Stream.of(element.getAnnotationsByType(TableGenerator.class))
                                        .map(TableGenerator::name),
                                Stream.of(element.getAnnotationsByType(GenericGenerator.class))
                                        .map(GenericGenerator::name))
                        .flatMap(names -> names))
                .anyMatch(name::equals);
    }

    private static void addAll(Class<?> annotated, List<AnnotatedElement> elements) {
        for (Class<?> type = annotated; type != null; type = type.getSuperclass()) {
            elements.add(type);
            elements.add(type.getPackage());
            elements.addAll(Arrays.asList(type.getDeclaredFields()));
            elements.addAll(Arrays.asList(type.getDeclaredMethods()));
        }
    }

    private static IdMappingException undefined(String name, String owner, Property id) {
        return new IdMappingException(
                "Attribute '%s' of %s is to get ids of generator '%s', which is not defined, so that Hibernate would take them from a sequence; the Snowflake ids are those of generator '%s'"
                        .formatted(id.getName(), owner, name, NamedIdGenerator.NAME),
                """
                Correct the name:

                @GeneratedValue(generator = "%s")
                private Long %s;

                or, if a sequence is meant, say so:

                @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "%s")""".formatted(NamedIdGenerator.NAME, id.getName(), name));
    }
}
