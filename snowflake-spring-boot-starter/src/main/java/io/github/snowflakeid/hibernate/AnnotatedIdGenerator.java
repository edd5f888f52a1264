package io.github.snowflakeid.hibernate;

import java.lang.reflect.Member;
import java.util.EnumSet;
import java.util.Objects;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.PersistentClass;
import org.jspecify.annotations.Nullable;

/**
 * What {@link SnowflakeId} stands for. Public only because Hibernate cannot make one otherwise. Not an
 * {@code IdentifierGenerator}: Hibernate rejects those for attributes that are not ids, and fails to configure them for
 * parts of composite ids.
 */
public final class AnnotatedIdGenerator implements BeforeExecutionGenerator, AnnotationBasedGenerator<SnowflakeId> {

    private static final long serialVersionUID = 1L;

    private transient @Nullable IdAttribute attribute;

    /** For Hibernate, which calls {@link #initialize} next. */
    public AnnotatedIdGenerator() {}

    @Override
    public void initialize(SnowflakeId annotation, Member member, GeneratorCreationContext context) {
        Class<?> declared = IdAttribute.typeOf(member).orElse(null);
        attribute = IdAttribute.of(
                "@SnowflakeId",
                ownerOf(member, context),
                IdAttribute.nameOf(member),
                declared == null ? context.getProperty().getType().getReturnedClass() : declared,
                context.getServiceRegistry());
    }

    @Override
    public Object generate(
            SharedSessionContractImplementor session,
            Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        return Objects.requireNonNull(attribute, "initialize comes first").keepOrMake(currentValue);
    }

    @Override
    public EnumSet<EventType> getEventTypes() {
        return EventTypeSets.INSERT_ONLY;
    }

    @Override
    public boolean allowAssignedIdentifiers() {
        return true;
    }

    /** The entity; for an embeddable, which can be part of several, the embeddable. */
    private static String ownerOf(Member member, GeneratorCreationContext context) {
        @Nullable PersistentClass entity = context.getPersistentClass();
        return entity == null ? member.getDeclaringClass().getName() : entity.getEntityName();
    }
}
