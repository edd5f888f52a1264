package io.github.snowflakeid.hibernate;

import jakarta.persistence.GeneratedValue;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.TableGenerator;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.hibernate.annotations.GenericGenerator;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.boot.spi.InFlightMetadataCollector;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.GeneratorCreator;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.RootClass;
import org.hibernate.mapping.SimpleValue;
import org.hibernate.models.spi.AnnotationTarget;
import org.hibernate.models.spi.ClassDetails;
import org.hibernate.models.spi.MemberDetails;
import org.hibernate.models.spi.ModelsContext;
import org.jspecify.annotations.Nullable;

/** That of Hibernate 7. */
final class GeneratorMapping7 implements GeneratorMapping {

    private final InFlightMetadataCollector metadata;
    private final ModelsContext models;

    private GeneratorMapping7(InFlightMetadataCollector metadata, ModelsContext models) {
        this.metadata = metadata;
        this.models = models;
    }

    static GeneratorMapping of(InFlightMetadataCollector metadata) {
        try {
            Object models = BootstrapContext.class.getMethod("getModelsContext").invoke(metadata.getBootstrapContext());
            return new GeneratorMapping7(metadata, (ModelsContext) models);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public @Nullable GeneratedValue generatedValue(Member id) {
        @Nullable ClassDetails type = details(id.getDeclaringClass().getName());
        if (type != null) {
            // Not by the Java member: Hibernate may have read another class loader's.
            for (MemberDetails member : id instanceof Field ? type.getFields() : type.getMethods()) {
                @Nullable GeneratedValue generated = member.getDirectAnnotationUsage(GeneratedValue.class);
                if (generated != null && member.getName().equals(id.getName())) {
                    return generated;
                }
            }
        }
        return null;
    }

    @Override
    public boolean isDefined(String generator, RootClass entity) {
        // One without a name serves whatever name its own entity asks for.
        return metadata.getIdentifierGenerator(generator) != null
                || isAny(name -> name.isEmpty() || name.equals(generator), entity)
                || metadata.getEntityBindings().stream().anyMatch(other -> isAny(generator::equals, other))
                || isGenericOfAll(generator);
    }

    @Override
    public void install(AnnotatedIdGenerator generator, SimpleValue id) {
        try {
            SimpleValue.class
                    .getMethod("setCustomIdGeneratorCreator", GeneratorCreator.class)
                    .invoke(id, generator);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Whether an XML document defines it outside of entities. Hibernate adds the other kinds to the metadata. */
    private boolean isGenericOfAll(String generator) {
        try {
            Method registrations = InFlightMetadataCollector.class.getMethod("getGlobalRegistrations");
            Object generic = registrations
                    .getReturnType()
                    .getMethod("getGenericGeneratorRegistrations")
                    .invoke(registrations.invoke(metadata));
            return ((Map<?, ?>) generic).containsKey(generator);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private boolean isAny(Predicate<String> name, PersistentClass entity) {
        return isAny(name, details(entity.getClassName()))
                || (entity.getIdentifier() instanceof Component key
                        && isAny(name, details(key.getComponentClassName())));
    }

    private boolean isAny(Predicate<String> name, @Nullable ClassDetails definedAt) {
        for (@Nullable ClassDetails type = definedAt; type != null; type = type.getSuperClass()) {
            List<AnnotationTarget> targets = new ArrayList<>(type.getFields());
            targets.addAll(type.getMethods());
            targets.add(type);
            @Nullable ClassDetails ofPackage = type.getContainer(models);
            if (ofPackage != null) {
                targets.add(ofPackage);
            }
            if (names(targets).stream().anyMatch(name)) {
                return true;
            }
        }
        return false;
    }

    private List<String> names(List<AnnotationTarget> targets) {
        List<String> names = new ArrayList<>();
        for (AnnotationTarget target : targets) {
            target.forEachAnnotationUsage(SequenceGenerator.class, models, sequence -> names.add(sequence.name()));
            target.forEachAnnotationUsage(TableGenerator.class, models, table -> names.add(table.name()));
            target.forEachAnnotationUsage(GenericGenerator.class, models, generic -> names.add(generic.name()));
        }
        return names;
    }

    private @Nullable ClassDetails details(@Nullable String type) {
        return type == null ? null : models.getClassDetailsRegistry().findClassDetails(type);
    }
}
