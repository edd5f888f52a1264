package io.github.snowflakeid.hibernate;

import java.util.EnumSet;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.mapping.GeneratorCreator;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.SimpleValue;
import org.jspecify.annotations.Nullable;

/**
 * What {@link io.github.snowflakeid.SnowflakeId} stands for.
 *
 * @param attribute that gets ids
 */
record AnnotatedIdGenerator(IdAttribute attribute) implements BeforeExecutionGenerator {

    /** Makes this the generator of an id, or of a part of one. */
    void installIn(SimpleValue id) {
        GeneratorCreator creator = context -> this;
        try {
            SimpleValue.class
                    .getMethod("setCustomIdGeneratorCreator", GeneratorCreator.class)
                    .invoke(id, creator);
        } catch (NoSuchMethodException beforeHibernate7) {
            id.setCustomIdGeneratorCreator(context -> this);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Makes this the generator of an attribute that is no id. */
    void installIn(Property property) {
        property.setValueGeneratorCreator(context -> this);
    }

    @Override
    public Object generate(
            SharedSessionContractImplementor session,
            Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        return attribute.keepOrMake(currentValue);
    }

    @Override
    public EnumSet<EventType> getEventTypes() {
        return EventTypeSets.INSERT_ONLY;
    }

    @Override
    public boolean allowAssignedIdentifiers() {
        return true;
    }
}
