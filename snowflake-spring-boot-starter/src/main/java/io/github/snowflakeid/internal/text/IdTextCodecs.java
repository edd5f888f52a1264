package io.github.snowflakeid.internal.text;

import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.internal.mapping.AttributePlace;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.json.IdAsString;
import io.github.snowflakeid.publicid.IdText;
import io.github.snowflakeid.publicid.PublicId;
import io.github.snowflakeid.text.IdFormat;
import io.github.snowflakeid.text.PublicIds;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ConcurrentReferenceHashMap;

/** Finds the text form that annotations choose for an ID. Safe for use by any number of threads. */
public final class IdTextCodecs {

    /** Weak, because the class loader of an application must not outlive it, wherever this library is loaded. */
    private static final Map<Class<?>, Optional<IdType>> ID_TYPES =
            new ConcurrentReferenceHashMap<>(64, ConcurrentReferenceHashMap.ReferenceType.WEAK);

    private final Map<Annotation, IdTextCodec> known = new ConcurrentHashMap<>();
    private final Map<Class<?>, List<AttributePlace>> places = new ConcurrentHashMap<>();
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
            return known.computeIfAbsent(publicId, any -> encrypted(publicId));
        }
        IdText idText = annotations.find(IdText.class);
        if (idText != null) {
            return known.computeIfAbsent(idText, any -> formatted(idText));
        }
        IdAsString asString = annotations.find(IdAsString.class);
        return asString == null || asString.prefix().isEmpty()
                ? null
                : known.computeIfAbsent(
                        asString, any -> IdTextCodec.digits(IdTextCodec.STRING.annotation(), asString.prefix()));
    }

    private IdTextCodec encrypted(PublicId annotation) {
        String type = annotation.value();
        return new IdTextCodec(
                "@PublicId(\"%s\")".formatted(type),
                true,
                annotation.prefix(),
                "a public ID",
                null,
                id -> publicIds(type).encode(type, id),
                text -> publicIds(type).decode(type, text));
    }

    private static IdTextCodec formatted(IdText annotation) {
        IdFormat format = annotation.value();
        String characters = switch (format) {
            case DECIMAL -> IdTextCodec.STRING.characters();
            case CROCKFORD_CHECKED -> "[0-9A-Za-z]{%s}[0-9A-Za-z*~$=]".formatted(format.length() - 1);
            default -> null;
        };
        return new IdTextCodec(
                "@IdText(IdFormat.%s)".formatted(format),
                false,
                annotation.prefix(),
                "an ID in " + format,
                characters,
                format::format,
                format::parse);
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
        return form == null && isPlainId ? IdTextCodec.STRING : form;
    }

    /**
     * Returns the elements that may have the annotations of attributes.
     *
     * @param type a class that has attributes
     * @return the elements, which are looked up once
     */
    public List<AttributePlace> placesIn(Class<?> type) {
        return places.computeIfAbsent(type, AttributePlace::in);
    }

    /**
     * Returns the ID type of a class: a numeric type, or a typed ID if it or the attribute that has the class as its
     * type is annotated.
     *
     * @param type any class
     * @return the ID type; null if the class does not hold an ID
     */
    public static @Nullable IdType idType(Class<?> type) {
        return ID_TYPES.computeIfAbsent(
                        type, any -> Optional.ofNullable(IdType.of(any)).filter(id -> id.isTyped() || !id.isText()))
                .orElse(null);
    }

    private PublicIds publicIds(String type) {
        PublicIds used = publicIds;
        if (used == null) {
            used = bean.get();
            if (used == null) {
                throw PublicIdErrors.noKey("@PublicId(\"%s\")".formatted(type));
            }
            publicIds = used;
        }
        return used;
    }
}
