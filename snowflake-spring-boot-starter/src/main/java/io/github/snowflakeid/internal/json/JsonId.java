package io.github.snowflakeid.internal.json;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.text.IdTextCodec;
import io.github.snowflakeid.internal.text.PlainIdCodec;
import io.github.snowflakeid.internal.text.PublicIdErrors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * How JSON represents an ID, for both versions of Jackson. Safe for use by several threads.
 *
 * @param type the type that holds the ID; of the elements if it is held in a {@code long[]}
 * @param form the form of the text
 * @param problem why the form cannot be guaranteed, null if it can
 */
public record JsonId(
        IdType type, IdTextCodec form, @Nullable String problem) {

    /**
     * Whether the form is chosen by {@link io.github.snowflakeid.publicid.PublicId} or {@link io.github.snowflakeid.publicid.IdText},
     * so that no number may be written or read.
     *
     * @return false for plain forms
     */
    public boolean isStrict() {
        return !(form instanceof PlainIdCodec);
    }

    /**
     * Fails if the form cannot be guaranteed. The error waits for a value: otherwise Spring would choose another mapper, which knows
     * nothing of the annotation.
     *
     * @throws ConfigurationException with the problem
     */
    public void requireNoProblem() {
        if (problem != null) {
            throw PublicIdErrors.misplaced(form, "an attribute", problem);
        }
    }

    /**
     * Returns what to write for an ID.
     *
     * @param id an object of the type, or a {@code long[]}
     * @return what Jackson writes by itself; null for an object that holds null
     * @throws ConfigurationException if the form cannot be guaranteed
     */
    public @Nullable Object toJson(Object id) {
        requireNoProblem();
        if (id instanceof long[] ids) {
            return LongStream.of(ids).mapToObj(form::format).toArray(String[]::new);
        }
        Object plain = type.unwrap(id);
        if (plain == null || form == PlainIdCodec.NUMBER || type.isText()) {
            return plain;
        }
        IdType number = IdType.plain(plain.getClass());
        if (number == null || number.isText()) {
            // A converter of the application has changed the type.
            throw PublicIdErrors.noId(form, "an attribute", plain.getClass().getTypeName());
        }
        return form.format(IdType.toLong(plain));
    }

    /**
     * Returns the ID that a text stands for.
     *
     * @param text the text, from anybody
     * @return an object of the type
     * @throws IllegalArgumentException if the text stands for none
     * @throws ConfigurationException if the form cannot be guaranteed
     */
    public Object parse(String text) {
        requireNoProblem();
        return type.isText() ? type.wrap(text) : type.convert(form.parse(text));
    }

    /**
     * Returns what a text should have been. It does not say why: callers must not learn which check failed.
     *
     * @return such as "not a public id"
     */
    public String rejection() {
        return "not " + form.inWords();
    }
}
