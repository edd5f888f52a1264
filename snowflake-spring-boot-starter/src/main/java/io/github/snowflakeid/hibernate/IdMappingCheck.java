package io.github.snowflakeid.hibernate;

import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.TableGenerator;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.hibernate.annotations.GenericGenerator;
import org.hibernate.boot.ResourceStreamLocator;
import org.hibernate.boot.spi.AdditionalMappingContributions;
import org.hibernate.boot.spi.AdditionalMappingContributor;
import org.hibernate.boot.spi.InFlightMetadataCollector;
import org.hibernate.boot.spi.MetadataBuildingContext;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.IndexedCollection;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.RootClass;
import org.hibernate.mapping.Value;
import org.jspecify.annotations.Nullable;

/**
 * Refuses mappings that Hibernate accepts, but then gives no ids to, or some of another kind. Found by Hibernate as a
 * service; there is no use in calling it.
 */
public final class IdMappingCheck implements AdditionalMappingContributor {

    private static final String NAME = "snowflake";

    /** For Hibernate. */
    public IdMappingCheck() {}

    @Override
    public void contribute(
            AdditionalMappingContributions contributions,
            InFlightMetadataCollector metadata,
            ResourceStreamLocator resourceStreamLocator,
            MetadataBuildingContext buildingContext) {
        for (PersistentClass entity : metadata.getEntityBindings()) {
            @Nullable Property id = entity.getIdentifierProperty();
            if (id != null && entity instanceof RootClass && entity.getClassName() != null) {
                refuseUnknownGenerator(entity, id, metadata);
            }
            for (Property property : entity.getProperties()) {
                if (property.getValue() instanceof Component embedded && !property.isSynthetic()) {
                    refuseRecord(embedded, entity, property);
                    refuseNested(embedded, entity, property);
                }
            }
        }
        for (Collection collection : metadata.getCollectionBindings()) {
            refuseElements(collection.getElement(), collection);
            if (collection instanceof IndexedCollection map) {
                refuseElements(map.getIndex(), collection);
            }
        }
    }

    private static void refuseUnknownGenerator(
            PersistentClass entity, Property id, InFlightMetadataCollector metadata) {
        @Nullable GeneratedValue generated = annotation(GeneratedValue.class, id, entity.getMappedClass());
        if (generated == null
                || generated.strategy() != GenerationType.AUTO
                || !generated.generator().startsWith(NAME)
                || generated.generator().equals(NAME)
                || metadata.getIdentifierGenerator(generated.generator()) != null
                || isDefinedByAnnotation(generated.generator(), metadata)) {
            return;
        }
        String name = generated.generator();
        throw new IdMappingException(
                "Attribute '%s' of %s is to get ids of generator '%s', which is not defined, so that Hibernate would take them from a sequence; the Snowflake ids are those of generator '%s'"
                        .formatted(id.getName(), entity.getEntityName(), name, NAME),
                """
                Correct the name:

                @Id
                @GeneratedValue(generator = "%s")
                private Long %s;

                or, if a sequence is meant, say so:

                @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "%s")""".formatted(NAME, id.getName(), name));
    }

    private static void refuseRecord(Component embedded, PersistentClass entity, Property property) {
        for (Property part : embedded.getProperties()) {
            if (getsIds(part, embedded) && embedded.getComponentClass().isRecord()) {
                throw new IdMappingException(
                        "Component '%s' of record %s cannot get Snowflake ids where the record is embedded, as '%s' of %s: Hibernate cannot change a record"
                                .formatted(
                                        part.getName(),
                                        embedded.getComponentClassName(),
                                        property.getName(),
                                        entity.getEntityName()),
                        """
                        Make it a class:

                        @Embeddable
                        public class %s {

                            @SnowflakeId
                            private Long %s;
                        }""".formatted(embedded.getComponentClass().getSimpleName(), part.getName()));
            }
        }
    }

    private static void refuseNested(Component embedded, PersistentClass entity, Property property) {
        for (Property part : embedded.getProperties()) {
            if (part.getValue() instanceof Component nested) {
                refuse(
                        nested,
                        "as it is embedded twice, in '%s' of '%s' of %s"
                                .formatted(part.getName(), property.getName(), entity.getEntityName()),
                        """
                        Embed it in the entity itself, or set the attribute where the object is made:

                        %s = idGenerator.nextId();""");
            }
        }
    }

    private static void refuseElements(@Nullable Value value, Collection collection) {
        if (value instanceof Component element) {
            refuse(element, "as it is in a collection, '%s'".formatted(collection.getRole()), """
                    Map the elements as entities with @OneToMany, or set the attribute where an element is made:

                    %s = idGenerator.nextId();""");
        }
    }

    private static void refuse(Component embedded, String where, String action) {
        for (Property part : embedded.getProperties()) {
            if (getsIds(part, embedded)) {
                throw new IdMappingException(
                        "Attribute '%s' of %s would stay without a Snowflake id, %s: Hibernate generates no values there"
                                .formatted(part.getName(), embedded.getComponentClassName(), where),
                        action.formatted(part.getName()));
            }
            if (part.getValue() instanceof Component nested) {
                refuse(nested, where, action);
            }
        }
    }

    private static boolean getsIds(Property part, Component embedded) {
        return part.getValueGeneratorCreator() != null
                && annotation(SnowflakeId.class, part, embedded.getComponentClass()) != null;
    }

    private static <A extends Annotation> @Nullable A annotation(Class<A> type, Property property, Class<?> owner) {
        return property.getGetter(owner).getMember() instanceof AnnotatedElement member
                ? member.getAnnotation(type)
                : null;
    }

    /** Hibernate does not tell what is defined at an entity or its id. */
    private static boolean isDefinedByAnnotation(String name, InFlightMetadataCollector metadata) {
        List<AnnotatedElement> elements = new ArrayList<>();
        for (PersistentClass entity : metadata.getEntityBindings()) {
            if (entity.getClassName() != null) {
                for (Class<?> type = entity.getMappedClass(); type != null; type = type.getSuperclass()) {
                    elements.add(type);
                    elements.add(type.getPackage());
                    elements.addAll(Arrays.asList(type.getDeclaredFields()));
                    elements.addAll(Arrays.asList(type.getDeclaredMethods()));
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
}
