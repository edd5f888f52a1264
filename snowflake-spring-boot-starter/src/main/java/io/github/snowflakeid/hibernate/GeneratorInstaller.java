package io.github.snowflakeid.hibernate;

import org.hibernate.mapping.GeneratorCreator;
import org.hibernate.mapping.SimpleValue;

/** Sets the generator of an ID, which Hibernate 6 and 7 have different types for. */
final class GeneratorInstaller {

    private GeneratorInstaller() {}

    static void install(AnnotatedIdGenerator generator, SimpleValue id) {
        try {
            id.setCustomIdGeneratorCreator(context -> generator);
        } catch (LinkageError sinceHibernate7) {
            try {
                SimpleValue.class
                        .getMethod("setCustomIdGeneratorCreator", GeneratorCreator.class)
                        .invoke(id, generator);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
