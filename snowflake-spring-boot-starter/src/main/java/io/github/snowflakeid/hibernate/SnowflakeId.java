package io.github.snowflakeid.hibernate;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.hibernate.annotations.IdGeneratorType;
import org.hibernate.annotations.ValueGenerationType;

/**
 * Gives an attribute of an entity a Snowflake id when the entity is first saved.
 *
 * <pre>{@code
 * @Entity
 * class Order {
 *     @Id @SnowflakeId Long id;
 * }
 * }</pre>
 *
 * <p>On an id, on a part of an {@code @EmbeddedId} or of an {@code @IdClass}, or on any other basic attribute, also of a
 * mapped superclass. The attribute is a {@code Long}, a {@code long}, a {@code String} (decimal digits, without leading
 * zeros) or a {@link java.math.BigInteger}; anything else is an error when the {@code EntityManagerFactory} is made. So are
 * the places where Hibernate generates no values: elements of a collection, and what is embedded in something embedded; nor
 * can it set the components of an embedded record, unless that is the id.
 *
 * <p>A value that is already set is kept; in a {@code long}, 0 counts as not set. Ids are made before the
 * {@code INSERT}, so inserts can be sent in batches. That is also why HQL's {@code insert … select}, whose rows never
 * leave the database, fails unless the query selects ids itself; {@code insert … values} gets ids.
 */
@IdGeneratorType(AnnotatedIdGenerator.class)
@ValueGenerationType(generatedBy = AnnotatedIdGenerator.class)
@Target({ElementType.FIELD, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface SnowflakeId {

    /**
     * The setting of an {@code EntityManagerFactory} that says where its ids come from: an
     * {@link io.github.snowflakeid.IdGenerator}, or a {@link RuntimeException} that says why there is none, thrown when a
     * factory is made whose entities need ids. The auto-configuration sets it for every factory that is made by a
     * Spring factory bean, unless it is set already. A factory that is made otherwise needs it:
     * {@code Persistence.createEntityManagerFactory("shop", Map.of(SnowflakeId.ID_GENERATOR, ids))}.
     */
    String ID_GENERATOR = "snowflake.id-generator";
}
