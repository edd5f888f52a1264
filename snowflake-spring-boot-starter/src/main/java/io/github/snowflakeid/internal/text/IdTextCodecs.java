package io.github.snowflakeid.internal.text;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.json.IdAsString;
import io.github.snowflakeid.publicid.IdText;
import io.github.snowflakeid.publicid.PublicId;
import io.github.snowflakeid.text.IdFormat;
import io.github.snowflakeid.text.InvalidPublicIdException;
import io.github.snowflakeid.text.PublicIds;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finds the text form that annotations choose for an ID. Safe for use by any number of threads. */
public final class IdTextCodecs {

    private static final ClassValue<Optional<IdType>> ID_TYPES = new ClassValue<>() {

        @Override
        protected Optional<IdType> computeValue(Class<?> type) {
            return Optional.ofNullable(IdType.of(type)).filter(id -> id.isTyped() || !id.isText());
        }
    };

    private final Supplier<@Nullable PublicIds> bean;
    private volatile @Nullable PublicIds publicIds;

    /**
     * Creates the text forms of an application.
     *
     * @param bean supplies the public IDs, or null if there is no such bean; called at first use, after which the
     *     result is cached
     */
    public IdTextCodecs(Supplier<@Nullable PublicIds> bean) {
        this.bean = bean;
    }

    /**
     * Returns the text form that {@link PublicId}, {@link IdText} or an {@link IdAsString} with a prefix chooses.
     * {@code @PublicId} takes precedence, then {@code @IdText}.
     *
     * @param annotations the annotations of an attribute or a parameter
     * @return the text form; null if none of these annotations is present
     */
    public @Nullable IdTextCodec of(AnnotationLookup annotations) {
        PublicId publicId = annotations.find(PublicId.class);
        if (publicId != null) {
            return Prefixed.of(publicId.prefix(), new Encrypted(this, publicId.value()));
        }
        IdText idText = annotations.find(IdText.class);
        if (idText != null) {
            return Prefixed.of(idText.prefix(), new Formatted(idText.value()));
        }
        IdAsString asString = annotations.find(IdAsString.class);
        return asString == null || asString.prefix().isEmpty()
                ? null
                : Prefixed.of(asString.prefix(), PlainIdCodec.STRING);
    }

    /**
     * Returns the text form of an ID. If the type is a typed ID, its annotations count as well.
     *
     * @param annotations the annotations of an attribute or a parameter
     * @param type the type of the attribute or parameter
     * @return the text form; null if neither the attribute nor the type is annotated
     */
    public @Nullable IdTextCodec of(AnnotationLookup annotations, IdType type) {
        if (!type.isTyped()) {
            return of(annotations);
        }
        AnnotationLookup all = annotations.or(type::annotation);
        IdTextCodec form = of(all);
        boolean isPlainId = all.find(IdAsString.class) != null || all.find(SnowflakeId.class) != null;
        return form == null && isPlainId ? PlainIdCodec.STRING : form;
    }

    /**
     * Returns the ID type of a class: a numeric type, or a typed ID if it or the attribute that has the class as its
     * type is annotated.
     *
     * @param type any class
     * @return the ID type; null if the class does not hold an ID
     */
    public static @Nullable IdType idType(Class<?> type) {
        return ID_TYPES.get(type).orElse(null);
    }

    private PublicIds publicIds(String type) {
        PublicIds known = publicIds;
        if (known == null) {
            known = bean.get();
            if (known == null) {
                throw PublicIdErrors.noKey(type);
            }
            publicIds = known;
        }
        return known;
    }

    private record Encrypted(IdTextCodecs forms, String type) implements IdTextCodec {

        @Override
        public String format(long id) {
            try {
                return forms.publicIds(type).encode(type, id);
            } catch (IllegalArgumentException e) {
                throw id < 0 ? e : PublicIdErrors.badType(this, e.getMessage());
            }
        }

        @Override
        public long parse(String text) {
            try {
                return forms.publicIds(type).decode(type, text);
            } catch (InvalidPublicIdException e) {
                throw e;
            } catch (IllegalArgumentException e) {
                throw PublicIdErrors.badType(this, e.getMessage());
            }
        }

        @Override
        public boolean isSecret() {
            return true;
        }

        @Override
        public String inWords() {
            return "a public ID";
        }

        @Override
        public String toString() {
            return "@PublicId(\"%s\")".formatted(type);
        }
    }

    private record Prefixed(String prefix, IdTextCodec form) implements IdTextCodec {

        static IdTextCodec of(String prefix, IdTextCodec form) {
            return prefix.isEmpty() ? form : new Prefixed(prefix, form);
        }

        @Override
        public String format(long id) {
            return prefix + form.format(id);
        }

        @Override
        public long parse(String text) {
            if (!text.startsWith(prefix)) {
                throw new IllegalArgumentException("the text does not begin with '%s'".formatted(prefix));
            }
            return form.parse(text.substring(prefix.length()));
        }

        @Override
        public boolean isSecret() {
            return form.isSecret();
        }

        @Override
        public String pattern() {
            return "^" + prefix.replaceAll("[^\\w-]", "\\\\$0") + form.pattern().substring(1);
        }

        @Override
        public String inWords() {
            return "%s that begins with '%s'".formatted(form.inWords(), prefix);
        }

        @Override
        public String toString() {
            return form.toString();
        }
    }

    private record Formatted(IdFormat format) implements IdTextCodec {

        @Override
        public String format(long id) {
            return format.format(id);
        }

        @Override
        public long parse(String text) {
            return format.parse(text);
        }

        @Override
        public String pattern() {
            return switch (format) {
                case DECIMAL -> "^[0-9]{1,%s}$".formatted(format.length());
                case CROCKFORD_CHECKED -> "^[0-9A-Za-z]{%s}[0-9A-Za-z*~$=]$".formatted(format.length() - 1);
                default -> IdTextCodec.super.pattern();
            };
        }

        @Override
        public String inWords() {
            return "an ID in " + format;
        }

        @Override
        public String toString() {
            return "@IdText(IdFormat.%s)".formatted(format);
        }
    }
}
