package io.github.snowflakeid.hibernate;

import org.hibernate.mapping.GeneratorCreator;
import org.hibernate.mapping.SimpleValue;

/** Sets the generator of an entity's ID. The type of the setter's parameter differs between Hibernate 6 and 7. */
final class GeneratorInstaller {

    private GeneratorInstaller() {}

    static void install(AnnotatedIdGenerator generator, SimpleValue id) {
        try {
            id.setCustomIdGeneratorCreator(context -> generator);
        } catch (LinkageError e) {
            // This is Hibernate 7 or later.
            try {
                SimpleValue.class
                        .getMethod("setCustomIdGeneratorCreator", GeneratorCreator.class)
                        .invoke(id, generator);
            } catch (ReflectiveOperationException e2) {
                throw new IllegalStateException(e2);
            }
        }
    }
}
