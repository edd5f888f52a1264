package io.github.snowflakeid.hibernate;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.SnowflakeIdGenerator;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.mapping.MappingErrors;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMember;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Version;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.util.EnumSet;
import org.apache.commons.logging.LogFactory;
import org.hibernate.annotations.IdGeneratorType;
import org.hibernate.annotations.ValueGenerationType;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.generator.Generator;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.GeneratorCreator;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.Selectable;
import org.hibernate.service.ServiceRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * What {@link SnowflakeId} stands for. It is known before Hibernate asks for it, so it creates itself.
 *
 * @param attribute that gets ids
 */
record AnnotatedIdGenerator(IdAttribute attribute) implements BeforeExecutionGenerator, GeneratorCreator {

    /**
     * The generator for the attribute that this stands for.
     *
     * @param type that has the attribute
     * @param owner the entity; for an embeddable, which can be part of several, the embeddable
     * @throws ConfigurationException if the attribute cannot hold ids, or something else generates its values as well
     */
    static AnnotatedIdGenerator of(
            SnowflakeIdMember member, Property attribute, Class<?> type, String owner, ServiceRegistry services) {
        // That can be the field beside an annotated getter, or a getter that overrides it.
        @Nullable Member read = attribute.getGetter(type).getMember();
        @Nullable
        Class<?> declared =
                SnowflakeIdMember.typeOf(read == null ? member.member() : read).orElse(null);
        refuseOther((AnnotatedElement) member.member(), member, attribute, owner);
        if (read instanceof AnnotatedElement element) {
            refuseOther(element, member, attribute, owner);
        }
        IdAttribute id = IdAttribute.of(
                member.written(),
                owner,
                attribute.getName(),
                declared == null ? attribute.getType().getReturnedClass() : declared,
                member.annotation().value(),
                services);
        IdType idType = id.type().withText(member.annotation(), attribute.getName(), owner);
        if (idType.isText()) {
            warnOfShortColumn(attribute, owner, idType.textLength());
        }
        return new AnnotatedIdGenerator(new IdAttribute(id.name(), idType, id.generator(), id.ids()));
    }

    /** It is no error: sequential numbers may have fewer digits. */
    private static void warnOfShortColumn(Property attribute, String owner, int length) {
        for (Selectable selectable : attribute.getValue().getSelectables()) {
            if (selectable instanceof Column column && column.getLength() != null && column.getLength() < length) {
                LogFactory.getLog(SnowflakeIdGenerator.class)
                        .warn(
                                "Attribute '%s' of %s has a column of %d characters, but Snowflake IDs have up to %d characters: set @Column(length = %4$d)"
                                        .formatted(attribute.getName(), owner, column.getLength(), length));
            }
        }
    }

    private static void refuseOther(
            AnnotatedElement annotated, SnowflakeIdMember member, Property attribute, String owner) {
        for (Annotation other : annotated.getAnnotations()) {
            if (generatesOtherValues(member.annotation(), other)) {
                throw MappingErrors.twoOrigins(attribute.getName(), owner, member.written(), written(other));
            }
        }
    }

    private static boolean generatesOtherValues(SnowflakeId annotation, Annotation other) {
        if (other instanceof GeneratedValue generated) {
            boolean sameGenerator = generated.generator().isEmpty()
                    || (annotation.value().isEmpty() && generated.generator().equals(NamedIdGenerator.NAME));
            return generated.strategy() != GenerationType.AUTO || !sameGenerator;
        }
        Class<? extends Annotation> type = other.annotationType();
        return type == Version.class
                || type.isAnnotationPresent(IdGeneratorType.class)
                || type.isAnnotationPresent(ValueGenerationType.class);
    }

    private static String written(Annotation other) {
        String name = "@" + other.annotationType().getSimpleName();
        if (!(other instanceof GeneratedValue generated)) {
            return name;
        }
        String strategy = "strategy = GenerationType." + generated.strategy();
        String generator = "generator = \"" + generated.generator() + "\"";
        if (generated.generator().isEmpty()) {
            return name + "(" + strategy + ")";
        }
        return name + "(" + (generated.strategy() == GenerationType.AUTO ? "" : strategy + ", ") + generator + ")";
    }

    @Override
    public Generator createGenerator(GeneratorCreationContext context) {
        return this;
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

    /** Without {@code @Override}, since Hibernate asks for it since 7.4. */
    @SuppressWarnings({"unused", "MissingOverride"})
    public Class<?> getGeneratedType() {
        return ClassUtils.resolvePrimitiveIfNecessary(attribute.type().javaType());
    }

    @Override
    public boolean allowAssignedIdentifiers() {
        return true;
    }
}
