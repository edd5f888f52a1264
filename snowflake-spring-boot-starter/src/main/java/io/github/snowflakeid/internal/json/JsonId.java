package io.github.snowflakeid.internal.json;

import com.fasterxml.jackson.annotation.JsonGetter;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import io.github.snowflakeid.failure.ConfigurationException;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.text.AnnotationLookup;
import io.github.snowflakeid.internal.text.IdTextCodec;
import io.github.snowflakeid.internal.text.PublicIdErrors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * How an ID is represented in JSON, for all supported versions of Jackson. Safe for use by any number of threads.
 *
 * @param javaType the type of the value in Java
 * @param type the type that holds the ID; for a {@code long[]}, the type of its elements
 * @param form the text form
 * @param problem why the text form cannot be guaranteed; null if it can
 */
public record JsonId(
        Class<?> javaType,
        IdType type,
        IdTextCodec form,
        @Nullable String problem) {

    /** Returns the name that an annotation of Jackson chooses for an attribute; empty if it chooses none. */
    static String chosenName(AnnotationLookup annotations) {
        return Stream.of(JsonProperty.class, JsonGetter.class, JsonSetter.class)
                .flatMap(each -> Stream.ofNullable(annotations.get(each)))
                .map(each -> String.valueOf(AnnotationUtils.getValue(each)))
                .filter(StringUtils::hasLength)
                .findFirst()
                .orElse("");
    }

    /**
     * Returns whether {@link io.github.snowflakeid.publicid.PublicId} or {@link io.github.snowflakeid.publicid.IdText}
     * chooses the form, so that plain numbers must be neither written nor read.
     *
     * @return false for plain forms
     */
    public boolean isStrict() {
        return !form.isPlain();
    }

    /**
     * Returns the representation in another type, such as the value class of Kotlin that Jackson's module wraps around
     * the number in a creator's parameter.
     *
     * @param wrapper the type that Jackson expects
     * @return this unless the type wraps an ID
     */
    public JsonId in(Class<?> wrapper) {
        IdType wrapped = wrapper == javaType ? null : IdType.of(wrapper);
        return wrapped == null || !wrapped.isTyped() ? this : new JsonId(wrapped.javaType(), wrapped, form, problem);
    }

    /**
     * Fails if the text form cannot be guaranteed. This is checked for each value rather than when Jackson asks for a
     * serializer, because Spring would then choose another mapper that ignores the annotation.
     *
     * @throws ConfigurationException if there is a problem
     */
    public void requireNoProblem() {
        if (problem != null) {
            throw PublicIdErrors.misplaced(form, "an attribute", problem);
        }
    }

    /**
     * Returns the value to write for an ID.
     *
     * @param id an object of the type, or a {@code long[]}
     * @return a value that Jackson can write without this library; null for an object that holds null
     * @throws ConfigurationException if the text form cannot be guaranteed
     */
    public @Nullable Object toJson(Object id) {
        requireNoProblem();
        if (id instanceof long[] ids) {
            return LongStream.of(ids).mapToObj(form::format).toArray(String[]::new);
        }
        // Jackson's Kotlin module wraps what the getter of a value class returns.
        IdType actual = ClassUtils.isAssignableValue(type.javaType(), id) ? type : IdType.of(id.getClass());
        if (actual == null) {
            throw PublicIdErrors.noId(form, "an attribute", id.getClass().getTypeName());
        }
        Object plain = actual.unwrap(id);
        return plain == null || form.equals(IdTextCodec.NUMBER) ? plain : form.write(actual, id);
    }

    /**
     * Returns the ID that a text stands for.
     *
     * @param text the text, which may come from an untrusted source
     * @return an object of the type
     * @throws IllegalArgumentException if the text does not stand for an ID
     * @throws ConfigurationException if the text form cannot be guaranteed
     */
    public Object parse(String text) {
        requireNoProblem();
        return form.read(type, text);
    }

    /**
     * Returns the reason for rejecting a text. It only describes valid texts, because clients must not learn which
     * check failed.
     *
     * @return a phrase such as "not a public ID"
     */
    public String rejection() {
        return "not " + form.inWords();
    }
}
