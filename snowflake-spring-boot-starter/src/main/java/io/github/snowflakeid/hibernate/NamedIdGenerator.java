package io.github.snowflakeid.hibernate;

import io.github.snowflakeid.mapping.AnnotatedMember;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.metamodel.SingularAttribute;
import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Member;
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
import org.hibernate.service.ServiceRegistry;
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
        List<Member> members = annotatedMembers(entity, generator, services);
        @Nullable Member member = onlyAttribute(members);
        @Nullable
        Class<?> declared =
                member == null ? null : AnnotatedMember.typeOf(member).orElse(null);
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
        Class<?> entity = session.getFactory()
                .getMappingMetamodel()
                .getEntityDescriptor(undeclaredIn)
                .getMappedClass();
        // By the type of Jakarta Persistence, since Hibernate's own ones differ between 6.6 and 7.
        EntityManagerFactory factory = session.getFactory();
        for (SingularAttribute<?, ?> each :
                factory.getMetamodel().entity(entity).getSingularAttributes()) {
            Optional<Class<?>> type = AnnotatedMember.typeOf(each.getJavaMember());
            if (each.isId() && type.isPresent() && type.get().isPrimitive()) {
                return true;
            }
        }
        return false;
    }

    /** The attribute that all of them are of, or null. */
    private static @Nullable Member onlyAttribute(List<Member> members) {
        Set<String> names = new HashSet<>();
        for (Member member : members) {
            names.add(AnnotatedMember.attributeOf(member));
        }
        return names.size() == 1 ? members.get(0) : null;
    }

    /** Where the generator is used: Hibernate 6.6 and 7 have no way in common to tell. */
    private static List<Member> annotatedMembers(String entity, String generator, ServiceRegistry services) {
        Class<?> entityClass;
        try {
            entityClass = services.requireService(ClassLoaderService.class).classForName(entity);
        } catch (ClassLoadingException entityWithoutClass) {
            return List.of();
        }
        List<Member> annotated = new ArrayList<>();
        for (Class<?> type = entityClass; type != null; type = type.getSuperclass()) {
            addAnnotated(type.getDeclaredFields(), generator, annotated);
            addAnnotated(type.getDeclaredMethods(), generator, annotated);
        }
        return annotated;
    }

    private static <T extends AccessibleObject & Member> void addAnnotated(
            T[] members, String generator, List<Member> annotated) {
        for (T member : members) {
            GeneratedValue annotation = member.getAnnotation(GeneratedValue.class);
            if (annotation != null && annotation.generator().equals(generator)) {
                annotated.add(member);
            }
        }
    }
}
