package io.github.snowflakeid.hibernate;

import jakarta.persistence.GeneratedValue;
import java.lang.reflect.Member;
import org.hibernate.boot.spi.BootstrapContext;
import org.hibernate.boot.spi.InFlightMetadataCollector;
import org.hibernate.mapping.RootClass;
import org.jspecify.annotations.Nullable;

/**
 * How ids are generated as Hibernate reads it: by annotations, or by what an {@code orm.xml} says instead. Hibernate 6 and
 * 7 keep that with libraries of different names.
 */
interface GeneratorMapping {

    static GeneratorMapping of(InFlightMetadataCollector metadata) {
        try {
            // Asked for before the class is named, which Hibernate 6 need not load then.
            Object models = BootstrapContext.class.getMethod("getModelsContext").invoke(metadata.getBootstrapContext());
            return new GeneratorMapping7(metadata, models);
        } catch (NoSuchMethodException beforeHibernate7) {
            return new GeneratorMapping6(metadata);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** What the field or the getter of an id has, if anything. */
    @Nullable
    GeneratedValue generatedValue(Member id);

    /**
     * Whether a generator is defined, for this entity or for another one. Hibernate may take no more than the name of the
     * latter, but it was no mistake for ours.
     */
    boolean isDefined(String generator, RootClass entity);
}
