package io.github.snowflakeid.hibernate;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.mapping.MappingErrors;
import io.github.snowflakeid.internal.mapping.SnowflakeIdMember;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Version;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.EnumSet;
import java.util.Objects;
import org.hibernate.annotations.IdGeneratorType;
import org.hibernate.annotations.ValueGenerationType;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.mapping.GeneratorCreator;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.SimpleValue;
import org.hibernate.service.ServiceRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Generates the values of one attribute with {@link SnowflakeId}.
 *
 * @param attribute the attribute that gets IDs
 */
record AnnotatedIdGenerator(IdAttribute attribute) implements BeforeExecutionGenerator {

    private static final Method GET_GETTER = method(Property.class, "getGetter", Class.class);

    private static final Method GET_MEMBER = method(GET_GETTER.getReturnType(), "getMember");

    /**
     * Creates the generator of an annotated attribute.
     *
     * @param type the class that has the attribute
     * @param owner the entity, for messages; the embeddable if the attribute is in one, since several entities can
     *     embed it
     * @throws ConfigurationException if the attribute cannot hold IDs or has another source of values
     */
    static AnnotatedIdGenerator of(
            SnowflakeIdMember member, Property attribute, Class<?> type, String owner, ServiceRegistry services) {
        // Hibernate may read another member than the annotated one: the field of an annotated getter, or an overriding
        // getter.
        @Nullable Member read = memberOf(attribute, type);
        Class<?> javaType = SnowflakeIdMember.typeOf(read == null ? member.member() : read)
                .orElseGet(() -> attribute.getType().getReturnedClass());
        rejectOtherSource((AnnotatedElement) member.member(), member, attribute, owner);
        if (read instanceof AnnotatedElement element) {
            rejectOtherSource(element, member, attribute, owner);
        }
        IdAttribute id = IdAttribute.of(
                member.written(),
                owner,
                attribute.getName(),
                javaType,
                member.annotation().value(),
                services);
        IdType idType = id.type().withText(member.annotation(), attribute.getName(), owner);
        return new AnnotatedIdGenerator(new IdAttribute(id.name(), idType, id.ids()));
    }

    private static void rejectOtherSource(
            AnnotatedElement annotated, SnowflakeIdMember member, Property attribute, String owner) {
        for (Annotation other : annotated.getAnnotations()) {
            if (generatesOtherValues(member.annotation(), other)) {
                String its = "@" + other.annotationType().getSimpleName();
                throw MappingErrors.twoOrigins(attribute.getName(), owner, member.written(), its);
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

    /**
     * Returns the field or getter that Hibernate reads, if any. The reflection avoids a link to Hibernate's type of
     * getters, which 7.4 marks for removal.
     */
    static @Nullable Member memberOf(Property attribute, Class<?> type) {
        @Nullable Object getter = ReflectionUtils.invokeMethod(GET_GETTER, attribute, type);
        return (Member) ReflectionUtils.invokeMethod(GET_MEMBER, getter);
    }

    private static Method method(Class<?> type, String name, Class<?>... parameters) {
        return Objects.requireNonNull(ReflectionUtils.findMethod(type, name, parameters), name);
    }

    /** Makes this the generator of an entity's ID. The type of the setter's parameter differs between Hibernate 6 and 7. */
    void installIn(SimpleValue id) {
        try {
            id.setCustomIdGeneratorCreator(context -> this);
        } catch (LinkageError e) {
            // This is Hibernate 7 or later.
            Method setter = method(SimpleValue.class, "setCustomIdGeneratorCreator", GeneratorCreator.class);
            ReflectionUtils.invokeMethod(setter, id, (GeneratorCreator) context -> this);
        }
    }

    @Override
    public Object generate(
            SharedSessionContractImplementor session,
            Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        return attribute.keepOrGenerate(currentValue);
    }

    @Override
    public EnumSet<EventType> getEventTypes() {
        return EventTypeSets.INSERT_ONLY;
    }

    /**
     * Implements a method that Hibernate has since 7.4. With {@code @Override}, it would not compile against older
     * versions.
     */
    @SuppressWarnings({"unused", "MissingOverride"})
    public Class<?> getGeneratedType() {
        return ClassUtils.resolvePrimitiveIfNecessary(attribute.type().javaType());
    }

    @Override
    public boolean allowAssignedIdentifiers() {
        return true;
    }

    /** Hibernate prints generators, for example if HQL inserts the result of a query. */
    @Override
    public String toString() {
        return "@SnowflakeId of attribute " + attribute.name();
    }
}
