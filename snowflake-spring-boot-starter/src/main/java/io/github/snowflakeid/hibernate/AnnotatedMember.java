package io.github.snowflakeid.hibernate;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Version;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import org.hibernate.annotations.IdGeneratorType;
import org.hibernate.annotations.ValueGenerationType;
import org.hibernate.mapping.Property;
import org.hibernate.service.ServiceRegistry;
import org.jspecify.annotations.Nullable;

/** A field or a getter with {@link SnowflakeId}. */
record AnnotatedMember(SnowflakeId annotation, Member member) {

    /**
     * The generator for the attribute that this stands for.
     *
     * @param type that has the attribute
     * @param owner the entity; for an embeddable, which can be part of several, the embeddable
     * @throws IdMappingException if the attribute cannot hold ids, or something else generates its values as well
     */
    AnnotatedIdGenerator generator(Property attribute, Class<?> type, String owner, ServiceRegistry services) {
        // That can be the field beside an annotated getter, or a getter that overrides it.
        @Nullable Member read = attribute.getGetter(type).getMember();
        @Nullable
        Class<?> declared = IdAttribute.typeOf(read == null ? member : read).orElse(null);
        refuseOther((AnnotatedElement) member, attribute, owner);
        if (read instanceof AnnotatedElement element) {
            refuseOther(element, attribute, owner);
        }
        return new AnnotatedIdGenerator(IdAttribute.of(
                written(),
                owner,
                attribute.getName(),
                declared == null ? attribute.getType().getReturnedClass() : declared,
                annotation.value(),
                services));
    }

    private void refuseOther(AnnotatedElement annotated, Property attribute, String owner) {
        for (Annotation other : annotated.getAnnotations()) {
            if (generatesOtherValues(other)) {
                throw new IdMappingException(
                        "Attribute '%s' of %s is to get Snowflake ids by %s, but other values by %s"
                                .formatted(attribute.getName(), owner, written(), written(other)),
                        """
                        Keep one of the two:

                        %s

                        or

                        %s""".formatted(written(), written(other)));
            }
        }
    }

    private boolean generatesOtherValues(Annotation other) {
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

    /** The annotation as it is in the source. */
    String written() {
        return annotation.value().isEmpty() ? "@SnowflakeId" : "@SnowflakeId(\"" + annotation.value() + "\")";
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
}
