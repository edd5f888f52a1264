package io.github.snowflakeid;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives an attribute a Snowflake id when its object is first saved. The annotation is the same for all mappers and needs
 * none of them to compile; the mapper's adapter acts on it. The starter has those for Hibernate,
 * Spring Data JDBC, Spring Data R2DBC, MyBatis and MyBatis-Plus.
 *
 * <pre>{@code
 * @Entity
 * class Order {
 *     @Id @SnowflakeId Long id;
 * }
 * }</pre>
 *
 * <p>It stands on the field or on the getter. The attribute is a {@code Long}, a {@code long}, a {@code String} (see
 * {@link #text()}) or a {@link java.math.BigInteger}. A value that is already set is kept; in a
 * {@code long}, 0 counts as not set.
 *
 * <p>With Hibernate, Spring Data, MyBatis and MyBatis-Plus, the attribute can also be a typed ID: a record, or another class with one attribute and a
 * constructor that takes it, such as {@code record OrderId(Long value)}. The annotation on that component stands for each attribute
 * of the type that is the ID of an entity; with MyBatis, annotate the attribute.
 *
 * <h2>With Hibernate</h2>
 *
 * <p>The attribute is an id, a part of an {@code @EmbeddedId} or of an {@code @IdClass}, or any other basic attribute, also
 * of a mapped superclass or of an embeddable. Where {@code @MapsId} takes the id from an association, that one counts.
 * What an {@code orm.xml} says about generated values does not count beside the annotation.
 *
 * <p>An attribute that could not get an id is an error when the {@code EntityManagerFactory} is made: one of another type;
 * one that Hibernate does not map or insert; one that has other values generated, too, as by a {@code @GeneratedValue}
 * that names a strategy or a generator. So are the places where Hibernate generates no values: elements of a collection, and
 * what is embedded in something embedded; nor can it set the components of an embedded record, unless that is the ID. An embedded typed ID
 * is an exception: where it is not the ID of the entity, it is a foreign key, which stays as it is.
 *
 * <p>Ids are made before the {@code INSERT}, so inserts can be sent in batches. That is also why HQL's
 * {@code insert … select}, whose rows never leave the database, fails unless the query selects ids itself;
 * {@code insert … values} gets ids.
 *
 * <h2>With Spring Data JDBC and R2DBC</h2>
 *
 * <p>The attribute is the {@code @Id} or any other one that is a column, also of what is embedded and, with Spring Data JDBC, of all that
 * belongs to an aggregate. It gets its id after Spring Data has decided that the row is new. An attribute that could not get one
 * is an error when the application starts, or when an object of a class is first saved that was not known before.
 *
 * <h2>With MyBatis</h2>
 *
 * <p>The attribute is one of a parameter of an {@code INSERT} statement, or of an object in a parameter that is a collection, an
 * array or a map. It gets its id before dynamic SQL looks at it. An attribute that could not get one is an error when the
 * application starts, where the mapper tells what it inserts, else when it is first inserted: one of another type; one that the
 * statement sets to a key of the database. With MyBatis-Plus, so is one that it does not insert. An attribute of a record, or one
 * that cannot be set for another reason, keeps the id that it comes with; if it comes with none, the insert fails.
 * @since 0.1.0
 */
@Target({ElementType.FIELD, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface SnowflakeId {

    /**
     * The name of the generator that makes the ids; empty for the one without a name.
     *
     * @return the name, which has to be that of a generator: any other is an error as soon as the mapper starts
     */
    String value() default "";

    /**
     * The text of the IDs in a {@code String} attribute, or in a typed ID that wraps a {@code String}. On an attribute that holds a number,
     * any other form than the default is an error as soon as the mapper starts.
     *
     * @return the form of the text
     */
    Text text() default Text.DECIMAL;

    /**
     * The forms of IDs in {@code String} attributes. Base 62 is not one of them: many collations ignore case, so that two IDs would be equal
     * to the database.
     */
    enum Text {

        /** Decimal digits without leading zeros, up to 19 characters. IDs with different numbers of digits do not sort as the numbers do. */
        DECIMAL,

        /**
         * Crockford's base 32: always 13 digits and upper-case letters, such as {@code 06XWHVQ04CW1A}. The text sorts as the ID in binary
         * collations and in collations of most languages, whether or not they ignore case. Danish, Norwegian, Estonian and Lithuanian
         * collations sort some letters differently: IDs are unique there as well, but are not sorted by number.
         */
        CROCKFORD
    }
}
