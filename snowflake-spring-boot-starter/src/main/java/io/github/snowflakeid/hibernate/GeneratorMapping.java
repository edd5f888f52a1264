package io.github.snowflakeid.hibernate;

import jakarta.persistence.GeneratedValue;
import java.lang.reflect.Member;
import org.hibernate.boot.spi.InFlightMetadataCollector;
import org.hibernate.mapping.RootClass;
import org.hibernate.mapping.SimpleValue;
import org.jspecify.annotations.Nullable;

/**
 * How ids are generated as Hibernate reads it: by annotations, or by what an {@code orm.xml} says instead. Hibernate 6 and
 * 7 keep that with libraries of different names.
 */
interface GeneratorMapping {

    static GeneratorMapping of(InFlightMetadataCollector metadata) {
        try {
            // Calls a method that Hibernate 7 lacks. A lookup would have the JVM load all types that the methods of its
            // class name.
            return new GeneratorMapping6(metadata);
        } catch (NoSuchMethodError sinceHibernate7) {
            return GeneratorMapping7.of(metadata);
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

    /** Makes the generator that of an id, or of a part of one. */
    void install(AnnotatedIdGenerator generator, SimpleValue id);
}
