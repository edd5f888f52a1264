package io.github.snowflakeid.hibernate;

import java.util.Objects;
import java.util.Properties;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.EventType;
import org.hibernate.id.IdentifierGenerator;
import org.hibernate.id.PersistentIdentifierGenerator;
import org.hibernate.service.ServiceRegistry;
import org.hibernate.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * The generator of {@code @GeneratedValue(generator = "snowflake")}. It is public because Hibernate creates it. It does
 * not support HQL's {@code insert … select}: that needs an SQL expression, which Hibernate would cache and reuse with
 * the next statement.
 *
 * @hidden
 */
public final class NamedIdGenerator implements IdentifierGenerator {

    static final String NAME = "snowflake";

    private static final long serialVersionUID = 1L;

    private transient @Nullable IdAttribute attribute;

    /** Creates a generator that is not configured yet. Called by Hibernate, which calls {@link #configure} next. */
    public NamedIdGenerator() {}

    @Override
    public void configure(Type type, Properties parameters, ServiceRegistry services) {
        attribute = IdAttribute.of(
                "@Id\n@GeneratedValue(generator = \"" + NAME + "\")",
                parameters.getProperty(ENTITY_NAME),
                parameters.getProperty(PersistentIdentifierGenerator.PK),
                type.getReturnedClass(),
                "",
                services);
    }

    @Override
    public Object generate(SharedSessionContractImplementor session, @Nullable Object owner) {
        return attribute().generate();
    }

    @Override
    public Object generate(
            SharedSessionContractImplementor session,
            @Nullable Object owner,
            @Nullable Object currentValue,
            EventType eventType) {
        // Hibernate does not report whether the attribute is a primitive, so 0 counts as unset in a Long as well.
        boolean isZero =
                Long.valueOf(0).equals(currentValue) || Integer.valueOf(0).equals(currentValue);
        return attribute().keepOrGenerate(isZero ? null : currentValue);
    }

    @Override
    public boolean allowAssignedIdentifiers() {
        return true;
    }

    IdAttribute attribute() {
        return Objects.requireNonNull(attribute, "configure was not called");
    }
}
