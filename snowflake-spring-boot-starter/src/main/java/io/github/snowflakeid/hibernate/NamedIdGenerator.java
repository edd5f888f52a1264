package io.github.snowflakeid.hibernate;

import io.github.snowflakeid.internal.mapping.AnnotatedMember;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.IdClass;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import org.hibernate.boot.registry.classloading.spi.ClassLoaderService;
import org.hibernate.boot.registry.classloading.spi.ClassLoadingException;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.EventType;
import org.hibernate.id.IdentifierGenerator;
import org.hibernate.id.PersistentIdentifierGenerator;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.service.ServiceRegistry;
import org.hibernate.type.CompositeType;
import org.hibernate.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * What {@code @GeneratedValue(generator = "snowflake")} stands for. Public only because Hibernate cannot make one
 * otherwise. Not bulk insertion capable: that takes an SQL expression for an id, and Hibernate would run it again with
 * the next statement, as it caches what it translates.
 */
public final class NamedIdGenerator implements IdentifierGenerator {

    static final String NAME = "snowflake";

    private static final long serialVersionUID = 1L;

    private transient @Nullable IdAttribute attribute;

    /** The entity, if no annotation tells a {@code long} from a {@code Long}, as where the mapping is in XML. */
    private transient @Nullable String undeclaredIn;

    /** For Hibernate, which calls {@link #configure} next. */
    public NamedIdGenerator() {}

    @Override
    public void configure(Type type, Properties parameters, ServiceRegistry services) {
        String entity = parameters.getProperty(ENTITY_NAME);
        String generator = parameters.getProperty(GENERATOR_NAME);
        List<Class<?>> keys = new ArrayList<>();
        List<Member> members = annotatedMembers(entity, generator, services, keys);
        @Nullable Member member = onlyAttribute(members);
        @Nullable Class<?> declared = member == null ? null : declared(member, keys);
        attribute = IdAttribute.of(
                "@Id\n@GeneratedValue(generator = \"" + generator + "\")",
                entity,
                member == null
                        ? parameters.getProperty(PersistentIdentifierGenerator.PK)
                        : AnnotatedMember.attributeOf(member),
                declared == null ? type.getReturnedClass() : declared,
                "",
                services);
        undeclaredIn = member == null ? entity : null;
    }

    @Override
    public Object generate(SharedSessionContractImplementor session, @Nullable Object owner) {
        return attribute().make();
    }

    @Override
    public Object generate(
            SharedSessionContractImplementor session,
            @Nullable Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        return isUnsetPrimitive(currentValue, session)
                ? attribute().make()
                : attribute().keepOrMake(currentValue);
    }

    @Override
    public boolean allowAssignedIdentifiers() {
        return true;
    }

    private IdAttribute attribute() {
        return Objects.requireNonNull(attribute, "configure comes first");
    }

    private boolean isUnsetPrimitive(@Nullable Object value, SharedSessionContractImplementor session) {
        if (undeclaredIn == null
                || (!Long.valueOf(0).equals(value) && !Integer.valueOf(0).equals(value))) {
            return false;
        }
        EntityPersister entity = session.getFactory().getMappingMetamodel().getEntityDescriptor(undeclaredIn);
        if (entity.getIdentifierType() instanceof CompositeType key) {
            return isAnyPrimitive(key.getReturnedClass(), Set.of(key.getPropertyNames()));
        }
        @Nullable String id = entity.getIdentifierPropertyName();
        return id != null && isAnyPrimitive(entity.getMappedClass(), Set.of(id));
    }

    private static boolean isAnyPrimitive(Class<?> declaring, Set<String> attributes) {
        for (Member member : members(declaring)) {
            if (isPrimitive(member) && attributes.contains(AnnotatedMember.attributeOf(member))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isPrimitive(Member member) {
        Optional<Class<?>> type = AnnotatedMember.typeOf(member);
        return type.isPresent() && (type.get() == long.class || type.get() == int.class);
    }

    /** The primitive type that an {@code @IdClass} gives the attribute, or its own. Hibernate asks for the value of the former. */
    private static @Nullable Class<?> declared(Member attribute, List<Class<?>> keys) {
        for (Class<?> key : keys) {
            for (Member part : members(key)) {
                if (isPrimitive(part)
                        && AnnotatedMember.attributeOf(part).equals(AnnotatedMember.attributeOf(attribute))) {
                    return AnnotatedMember.typeOf(part).orElseThrow();
                }
            }
        }
        return AnnotatedMember.typeOf(attribute).orElse(null);
    }

    /** The attribute that all of them are of, or null. */
    private static @Nullable Member onlyAttribute(List<Member> members) {
        Set<String> names = new HashSet<>();
        for (Member member : members) {
            names.add(AnnotatedMember.attributeOf(member));
        }
        return names.size() == 1 ? members.get(0) : null;
    }

    /**
     * Where the generator is used: Hibernate 6.6 and 7 have no way in common to tell.
     *
     * @param keys gets the classes of composite ids
     */
    private static List<Member> annotatedMembers(
            String entity, String generator, ServiceRegistry services, List<Class<?>> keys) {
        Class<?> entityClass;
        try {
            entityClass = services.requireService(ClassLoaderService.class).classForName(entity);
        } catch (ClassLoadingException entityWithoutClass) {
            return List.of();
        }
        List<Member> members = members(entityClass);
        for (Class<?> type = entityClass; type != null; type = type.getSuperclass()) {
            @Nullable IdClass idClass = type.getAnnotation(IdClass.class);
            if (idClass != null) {
                keys.add(idClass.value());
            }
        }
        for (Member member : members) {
            if (((AnnotatedElement) member).isAnnotationPresent(EmbeddedId.class)) {
                AnnotatedMember.typeOf(member).ifPresent(keys::add);
            }
        }
        keys.forEach(key -> members.addAll(members(key)));
        members.removeIf(member -> {
            @Nullable GeneratedValue annotation = ((AnnotatedElement) member).getAnnotation(GeneratedValue.class);
            return annotation == null || !annotation.generator().equals(generator);
        });
        return members;
    }

    /** The fields, and the methods without parameters, which may be getters. */
    private static List<Member> members(Class<?> declaring) {
        List<Member> members = new ArrayList<>();
        for (Class<?> type = declaring; type != null; type = type.getSuperclass()) {
            members.addAll(List.of(type.getDeclaredFields()));
            for (Method method : type.getDeclaredMethods()) {
                if (method.getParameterCount() == 0) {
                    members.add(method);
                }
            }
        }
        return members;
    }
}
