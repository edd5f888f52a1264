package io.github.snowflakeid.internal.json;

import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Shape;
import com.fasterxml.jackson.annotation.JsonIdentityInfo;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.ObjectIdGenerators;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.internal.mapping.AttributePlace;
import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.internal.text.AnnotationLookup;
import io.github.snowflakeid.internal.text.IdTextCodec;
import io.github.snowflakeid.internal.text.IdTextCodecs;
import io.github.snowflakeid.internal.text.PublicIdErrors;
import io.github.snowflakeid.json.IdAsString;
import io.github.snowflakeid.text.PublicIds;
import java.beans.Introspector;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * Determines which attributes and types are IDs in JSON, for all supported versions of Jackson. Safe for use by any
 * number of threads.
 */
public final class JsonIds {

    private static final IdType LONG = Objects.requireNonNull(IdType.plain(long.class));
    private static final Optional<Class<? extends Annotation>> TABLE_ID =
            annotation("com.baomidou.mybatisplus.annotation.TableId");
    private static final Optional<Class<? extends Annotation>> GENERATED_VALUE =
            annotation("jakarta.persistence.GeneratedValue");

    private final IdTextCodecs forms;
    private final boolean idsAsStrings;
    private final Map<Class<?>, Set<Built>> builders = new ConcurrentHashMap<>();

    /**
     * Creates an instance for an application.
     *
     * @param properties the properties of JSON
     * @param publicIds the bean that encrypts IDs, if there is one
     */
    public JsonIds(JsonProperties properties, ObjectProvider<PublicIds> publicIds) {
        forms = new IdTextCodecs(publicIds::getIfAvailable);
        idsAsStrings = properties.idsAsStrings();
    }

    /**
     * Returns the form that annotations choose.
     *
     * @param annotations the annotations of an attribute or a component
     * @return the form; null if the annotations do not mark an ID
     */
    public @Nullable IdTextCodec formOf(AnnotationLookup annotations) {
        IdTextCodec form = forms.of(annotations);
        if (form != null || annotations.find(IdAsString.class) != null) {
            return form == null ? IdTextCodec.STRING : form;
        }
        if (!isGenerated(annotations)) {
            return null;
        }
        JsonFormat format = annotations.find(JsonFormat.class);
        boolean isNumber = format != null && format.shape() != Shape.ANY && format.shape() != Shape.STRING;
        return idsAsStrings && !isNumber ? IdTextCodec.STRING : IdTextCodec.NUMBER;
    }

    /**
     * Whether an attribute gets its IDs from this library, also if an annotation of the persistence library says so.
     */
    private boolean isGenerated(AnnotationLookup annotations) {
        return annotations.find(SnowflakeId.class) != null
                || valueOf(annotations, GENERATED_VALUE, "generator").equals("snowflake")
                || Set.of("NONE", "ASSIGN_ID").contains(valueOf(annotations, TABLE_ID, "type"));
    }

    private static String valueOf(
            AnnotationLookup annotations, Optional<Class<? extends Annotation>> type, String attribute) {
        return type.<Annotation>map(annotations::find)
                .map(found -> String.valueOf(AnnotationUtils.getValue(found, attribute)))
                .orElse("");
    }

    /** Looks for the class of an annotation once, because class loaders do not cache failures. */
    private static Optional<Class<? extends Annotation>> annotation(String name) {
        return ClassUtils.isPresent(name, null)
                ? Optional.of(ClassUtils.resolveClassName(name, null).asSubclass(Annotation.class))
                : Optional.empty();
    }

    /**
     * Returns the representation of a type that is an ID wherever it occurs.
     *
     * @param type any class
     * @param annotations the annotations of the class
     * @param chosen the serializer or deserializer of the type
     * @param isDefault whether Jackson, rather than the application, chose it
     * @param bypass the feature of Jackson by which it does not consider the annotations of attributes, or null
     * @return null if the application chose it, or if the class is not annotated
     */
    public @Nullable JsonId ofType(
            Class<?> type, AnnotationLookup annotations, Object chosen, boolean isDefault, @Nullable String bypass) {
        // The module of jMolecules writes the component of each identifier, and would bypass annotations of the type.
        boolean isOverridden = isDefault || chosen.getClass().getName().startsWith("org.jmolecules.");
        JsonId id = ofType(type, annotations, isOverridden);
        if (id == null && isValueClass(type)) {
            return bypassed(type, "a value class", this::formOf, false);
        }
        return id == null && bypass != null ? bypassed(type, bypass) : id;
    }

    /**
     * Returns whether Kotlin replaces a class by the value that it wraps.
     *
     * @param type any class
     * @return true for a value class
     */
    public static boolean isValueClass(Class<?> type) {
        return ReflectionUtils.findMethod(type, "unbox-impl") != null;
    }

    private @Nullable JsonId ofType(Class<?> type, AnnotationLookup annotations, boolean isDefault) {
        IdTextCodec form = formOf(annotations);
        // Jackson's Kotlin module has serializers for value classes, which would write the number.
        if (form == null || (!isDefault && !isValueClass(type))) {
            return null;
        }
        JsonId id = idOf(type, annotations);
        return id == null ? rejected(form, "is on %s, which does not wrap one ID".formatted(type)) : id;
    }

    /**
     * Returns the representation of a value that is an ID.
     *
     * @param type any class
     * @param annotations the annotations of the attribute or parameter that has the type
     * @return null if neither the type nor the attribute is annotated
     */
    public @Nullable JsonId of(Class<?> type, AnnotationLookup annotations) {
        JsonId id = idOf(type, annotations);
        return id == null ? ofType(type, AnnotationLookup.of(List.of(type)), true) : id;
    }

    /**
     * An attribute or a class as Jackson sees it.
     *
     * @param isClass whether it is a class
     * @param annotations its annotations
     * @param jackson the annotation of Jackson that may specify serializers or deserializers for it, or null
     * @param type its type
     * @param element the type of its elements or values, or null
     * @param key the type of its keys; null if it is not a map
     * @param typeName its type, for messages
     */
    public record Attribute(
            boolean isClass,
            AnnotationLookup annotations,
            @Nullable Annotation jackson,
            Class<?> type,
            @Nullable Class<?> element,
            @Nullable Class<?> key,
            String typeName) {

        /**
         * Returns the type of its elements or values.
         *
         * @return null if there are none, or if Jackson does not look for their serializer at the attribute, as for
         *     primitive arrays and streams
         */
        @Override
        public @Nullable Class<?> element() {
            return isContainer(type) && element != null && !element.isPrimitive() ? element : null;
        }

        /**
         * Whether the application chose a serializer or a deserializer. The annotation has other elements, too, and each
         * version of Jackson has its own classes, which are called {@code None} if there is no choice.
         */
        private boolean isReplaced(String... elements) {
            return jackson != null
                    && Stream.of(elements)
                            .map(each -> (Class<?>) AnnotationUtils.getValue(jackson, each))
                            .anyMatch(chosen ->
                                    chosen != null && !chosen.getSimpleName().equals("None"));
        }
    }

    /**
     * Returns the representation of an attribute that is an ID.
     *
     * @param attribute any attribute
     * @return null if Jackson handles the attribute itself
     */
    public @Nullable JsonId value(Attribute attribute) {
        AnnotationLookup annotations = attribute.annotations;
        JsonId reference = identified(
                annotations.find(JsonIdentityInfo.class),
                attribute.element() == null ? attribute.type : attribute.element());
        IdTextCodec form = formOf(annotations);
        // Classes are left to modifiers, which know whether the application registered a serializer.
        if (reference != null || attribute.isClass) {
            return reference;
        }
        // A public ID that the type declares takes precedence over a serializer that the attribute specifies.
        JsonId typed = attribute.jackson == null ? null : strict(attribute.type, annotations);
        if (typed != null || form == null) {
            return typed;
        }
        JsonId id = idOf(attribute.type, annotations);
        boolean isReplaced = attribute.isReplaced("using", "converter");
        if (form.isPlain()) {
            return isReplaced ? null : id;
        }
        if (annotations.find(JsonTypeInfo.class) != null) {
            return bypassed(form, "@JsonTypeInfo");
        }
        if (id != null) {
            return id;
        }
        boolean isNested = idOf(attribute.element(), annotations) == null
                && (idOf(attribute.key, annotations) == null
                        || attribute.element() == null
                        || isContainer(attribute.element()));
        if (isNested) {
            return rejected(form, PublicIdErrors.holdsNoIds(attribute.typeName));
        }
        return isReplaced
                ? rejected(form, "has no effect, because the attribute has another serializer or deserializer")
                : null;
    }

    private static boolean isContainer(Class<?> type) {
        return type.isArray()
                || Iterable.class.isAssignableFrom(type)
                || Map.class.isAssignableFrom(type)
                || type == Optional.class;
    }

    private @Nullable JsonId strict(@Nullable Class<?> type, AnnotationLookup annotations) {
        JsonId id = type == null ? null : of(type, annotations);
        return id != null && id.isStrict() ? id : null;
    }

    /**
     * Returns the representation of the elements or values of an attribute, if they are IDs.
     *
     * @param attribute any attribute
     * @return null if Jackson handles them itself
     */
    public @Nullable JsonId element(Attribute attribute) {
        if (attribute.annotations.find(JsonAnySetter.class) != null) {
            IdTextCodec form = forms.of(attribute.annotations);
            return form == null
                    ? null
                    : rejected(form, "is on an any-setter: declare an attribute for the ID, or a map");
        }
        return part(attribute.element(), attribute, "contentUsing", "contentConverter");
    }

    /**
     * Returns the representation of the map keys of an attribute, or of a class that is used as a map key, if the keys
     * are IDs.
     *
     * @param attribute any attribute or class
     * @return null if Jackson handles the keys itself
     */
    public @Nullable JsonId key(Attribute attribute) {
        if (!attribute.isClass) {
            return part(attribute.key, attribute, "keyUsing");
        }
        JsonId id = ofType(attribute.type, attribute.annotations, true);
        return id == null ? bypassed(attribute.type, "the use of its class as a map key") : id;
    }

    /** @param replacing the elements of the annotation of Jackson by which the application may handle such parts itself */
    private @Nullable JsonId part(@Nullable Class<?> type, Attribute attribute, String... replacing) {
        JsonId id = idOf(type, attribute.annotations);
        if (id == null && attribute.jackson != null) {
            return strict(type, attribute.annotations);
        }
        return id != null && !id.isStrict() && attribute.isReplaced(replacing) ? null : id;
    }

    private @Nullable JsonId idOf(@Nullable Class<?> type, AnnotationLookup annotations) {
        if (type == null || formOf(annotations) == null) {
            return null;
        }
        IdType id = type == long[].class ? LONG : IdType.of(type);
        if (id == null) {
            return null;
        }
        IdTextCodec form = Objects.requireNonNull(formOf(id.isTyped() ? annotations.or(id::annotation) : annotations));
        if (!id.isTyped() && (id.isText() || form.equals(IdTextCodec.NUMBER))) {
            return null;
        }
        return id.isText() && !form.isPlain()
                ? rejected(form, PublicIdErrors.holdsNoIds(id.javaType().getTypeName()))
                : new JsonId(type, id, form, null);
    }

    /**
     * Returns a representation that reports objects as an error if Jackson writes or reads them without considering the
     * annotations of their attributes.
     *
     * @param type the class of the objects
     * @param cause why Jackson does not consider them, for the message
     * @return null if no attribute of the class has a form that hides the number
     */
    public @Nullable JsonId bypassed(Class<?> type, String cause) {
        return bypassed(type, cause, forms::of, true);
    }

    /**
     * Returns a representation that reports objects as an error if other objects refer to them by ID, because Jackson
     * would write and read those references as numbers.
     *
     * @param identity the annotation of the class, or of an attribute of its type
     * @param type the class of the objects
     * @return null if there are no such references, or if no attribute of the class is written as text
     */
    public @Nullable JsonId identified(@Nullable JsonIdentityInfo identity, Class<?> type) {
        return identity != null && identity.generator() == ObjectIdGenerators.PropertyGenerator.class
                ? bypassed(type, "@JsonIdentityInfo", this::formOf, false)
                : null;
    }

    private static @Nullable JsonId bypassed(
            Class<?> type, String cause, Function<AnnotationLookup, @Nullable IdTextCodec> forms, boolean typesCount) {
        return AttributePlace.in(type).stream()
                .map(AttributePlace::element)
                .map(member ->
                        typesCount && member instanceof Field field ? List.of(field, field.getType()) : List.of(member))
                .map(places -> forms.apply(AnnotationLookup.of(places)))
                .filter(form -> form != null && !form.equals(IdTextCodec.NUMBER))
                .findFirst()
                .map(form -> bypassed(form, cause))
                .orElse(null);
    }

    private static JsonId bypassed(IdTextCodec form, String cause) {
        return rejected(
                form,
                "is combined with %s, which lets Jackson write and read the number: remove one of the two"
                        .formatted(cause));
    }

    private static JsonId rejected(IdTextCodec form, String problem) {
        return new JsonId(Object.class, LONG, form, problem);
    }

    /**
     * Remembers a class that Jackson creates through a builder, so that the annotations of its attributes apply to the
     * builder.
     *
     * @param type the class
     * @param builder the builder
     * @param prefix the prefix of the methods of the builder
     */
    public void addBuilder(Class<?> type, Class<?> builder, String prefix) {
        for (Class<?> each = builder; each != null && each != Object.class; each = each.getSuperclass()) {
            builders.computeIfAbsent(each, any -> ConcurrentHashMap.newKeySet()).add(new Built(type, prefix));
        }
    }

    private record Built(Class<?> type, String prefix) {}

    /**
     * Returns the annotations of an attribute, including those that Jackson does not see: of the parameter of a setter,
     * of a field that is final (Jackson 3), or private and without a getter, of the constructor of a superclass, of an
     * attribute that is overridden, and of the object that a builder creates.
     *
     * @param seen the annotations that Jackson sees
     * @param member a field, a method, or the constructor or the factory method that has the parameter
     * @param index the index of the parameter; negative unless it is a parameter
     * @param mixIns returns the mix-in of a class, or null
     * @return all annotations
     * @throws io.github.snowflakeid.failure.ConfigurationException if several builders inherit the member, and
     *     the attributes of the objects that they create have different forms
     */
    public AnnotationLookup all(
            AnnotationLookup seen, Member member, int index, Function<Class<?>, @Nullable Class<?>> mixIns) {
        AnnotatedElement element = index < 0 ? (AnnotatedElement) member : ((Executable) member).getParameters()[index];
        String name = element instanceof Parameter parameter ? parameter.getName() : member.getName();
        String other = JsonId.chosenName(seen);
        Class<?> owner = member.getDeclaringClass();
        List<AnnotatedElement> places = new ArrayList<>();
        if (member instanceof Method method && index < 0 && method.getParameterCount() > 0) {
            places.add(method.getParameters()[method.getParameterCount() - 1]);
        }
        Stream<String> names = forms.placesIn(owner).stream()
                .filter(place -> place.element().equals(element))
                .map(AttributePlace::attribute);
        Stream.concat(names, Stream.of(other).filter(StringUtils::hasLength))
                .forEach(attribute -> places.addAll(hidden(owner, mixIns, attribute, other)));
        Set<Optional<IdTextCodec>> choices = new HashSet<>();
        for (Built built : builders.getOrDefault(owner, Set.of())) {
            boolean isPrefixed = !built.prefix.isEmpty() && name.startsWith(built.prefix);
            String attribute = isPrefixed ? Introspector.decapitalize(name.substring(built.prefix.length())) : name;
            List<AnnotatedElement> found = hidden(built.type, mixIns, attribute, other);
            if (!found.isEmpty()) {
                choices.add(Optional.ofNullable(formOf(AnnotationLookup.of(found))));
                places.addAll(found);
            }
        }
        // The member does not tell which of the builders Jackson asks for.
        if (choices.size() > 1) {
            throw PublicIdErrors.misplaced(
                    choices.stream().flatMap(Optional::stream).findAny().orElseThrow(),
                    "an attribute",
                    "has no effect: objects with other annotations have builders that share " + member);
        }
        return seen.or(AnnotationLookup.of(places));
    }

    /**
     * Returns where an attribute may have annotations, in mix-ins first.
     *
     * @param name its name in Java, or the name of the attribute of the builder
     * @param other its name in JSON; empty if it is the same
     */
    private List<AnnotatedElement> hidden(
            Class<?> type, Function<Class<?>, @Nullable Class<?>> mixIns, String name, String other) {
        String json = other.isEmpty() ? name : other;
        List<AttributePlace> places = Stream.concat(
                        Stream.<Class<?>>iterate(type, Objects::nonNull, Class::getSuperclass)
                                .flatMap(each -> Stream.ofNullable(mixIns.apply(each))),
                        Stream.of(type))
                .flatMap(each -> forms.placesIn(each).stream())
                .toList();
        Set<String> names = places.stream()
                .filter(place ->
                        JsonId.chosenName(place.element()::getAnnotation).equals(json))
                .map(AttributePlace::attribute)
                .collect(Collectors.toCollection(() -> new TreeSet<>(String.CASE_INSENSITIVE_ORDER)));
        names.addAll(List.of(name, json));
        return places.stream()
                .filter(place -> names.contains(place.attribute()))
                .map(AttributePlace::element)
                .toList();
    }
}
