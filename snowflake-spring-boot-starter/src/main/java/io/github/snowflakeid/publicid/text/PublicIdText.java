package io.github.snowflakeid.publicid.text;

import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.text.IdTextCodec;
import io.github.snowflakeid.internal.text.IdTextCodecs;
import io.github.snowflakeid.text.PublicIds;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.springframework.util.function.SingletonSupplier;

/**
 * Writes a typed ID as clients see it, for its {@code toString}. Templates, logs, URI variables and concatenated text
 * then contain the public ID.
 *
 * <pre>{@code
 * @PublicId("order")
 * record OrderId(long value) {
 *
 *     @Override
 *     public String toString() {
 *         return PublicIdText.of(this);
 *     }
 * }
 * }</pre>
 *
 * <p>The {@link PublicIds} bean that was created last in this JVM provides the keys, whichever application context
 * created it. Before there is such a bean, the text begins with {@code unreadable-}, differs for each ID, and changes
 * when the JVM starts again. Safe for use by any number of threads.
 *
 * @since 1.0
 */
public final class PublicIdText {

    /** Encrypts IDs with a key that no other process has, as long as no key is configured. */
    private static final IdTextCodecs UNREADABLE = new IdTextCodecs(SingletonSupplier.of(PublicIdText::randomKey));

    private static volatile IdTextCodecs current = UNREADABLE;

    private PublicIdText() {}

    static void configure(PublicIds publicIds) {
        current = new IdTextCodecs(() -> publicIds);
    }

    /**
     * Returns the text of a typed ID in JSON and URLs, with its prefix.
     *
     * @param id an object of a type with {@link io.github.snowflakeid.publicid.PublicId} or {@link io.github.snowflakeid.json.IdAsString}
     * @return the text; different IDs of a type have different texts
     * @throws IllegalArgumentException if the type is not such a type
     */
    public static String of(Object id) {
        IdTextCodecs forms = current;
        @Nullable IdType type = IdTextCodecs.idType(id.getClass());
        @Nullable IdTextCodec form = type == null ? null : forms.of(type::annotation, type);
        if (type == null || form == null) {
            throw new IllegalArgumentException(id.getClass().getName() + " is no typed ID with @PublicId");
        }
        @Nullable Object plain = type.unwrap(id);
        if (plain == null || type.isText() || IdType.toLong(plain) < 0) {
            return String.valueOf(plain);
        }
        return (forms == UNREADABLE && form.isSecret() ? "unreadable-" : "") + form.format(IdType.toLong(plain));
    }

    private static PublicIds randomKey() {
        byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        return PublicIds.of(PublicIds.Key.of("0", Base64.getEncoder().encodeToString(secret)));
    }
}
