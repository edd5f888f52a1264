package io.github.snowflakeid.json.jackson2;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedMethod;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.AnnotatedWithParams;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import com.fasterxml.jackson.databind.util.Converter;
import io.github.snowflakeid.SnowflakeId;
import io.github.snowflakeid.json.CreatorParameters;
import io.github.snowflakeid.json.IdAsString;
import io.github.snowflakeid.publicid.IdText;
import io.github.snowflakeid.publicid.PublicId;
import io.github.snowflakeid.publicid.PublicIdErrors;
import io.github.snowflakeid.publicid.TextForm;
import io.github.snowflakeid.publicid.TextForms;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Executable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which attributes are ids that are text in JSON. */
final class IdAnnotations extends NopAnnotationIntrospector {

    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // A mapper that was written and read again has no application to ask.
    private final @Nullable TextForms forms;

    private final boolean allIds;

    private IdAnnotations(@Nullable TextForms forms, boolean allIds) {
        this.forms = forms;
        this.allIds = allIds;
    }

    /** Those in a form of their own. Before Jackson's introspector: beside it, nothing may let the number out. */
    static IdAnnotations inTextForms(TextForms forms) {
        return new IdAnnotations(forms, false);
    }

    /**
     * Those that are strings of digits. After Jackson's introspector, whose annotations change that.
     *
     * @param allIds whether all ids of entities are
     */
    static IdAnnotations asStrings(boolean allIds) {
        return new IdAnnotations(null, allIds);
    }

    @Override
    public JsonFormat.@Nullable Value findFormat(Annotated attribute) {
        return isString(attribute) ? JsonFormat.Value.forShape(JsonFormat.Shape.STRING) : null;
    }

    @Override
    public @Nullable Object findSerializer(Annotated attribute) {
        JavaType type = attribute.getType();
        @Nullable TextForm form = formOf(attribute);
        JsonSerialize own = attribute.getAnnotation(JsonSerialize.class);
        boolean isReplaced =
                own != null && (own.using() != JsonSerializer.None.class || own.converter() != Converter.None.class);
        String problem = problem(form, attribute, type, isReplaced);
        if (form != null && problem != null) {
            return new IdSerializer(form, problem);
        }
        return form != null || isString(attribute) ? serializer(type, form) : null;
    }

    @Override
    public @Nullable Object findContentSerializer(Annotated attribute) {
        JavaType type = attribute.getType();
        @Nullable TextForm form = formOf(attribute);
        return (form != null || isString(attribute)) && !isOfPrimitives(type)
                ? serializer(type.getContentType(), form)
                : null;
    }

    private static @Nullable Object serializer(@Nullable JavaType type, @Nullable TextForm form) {
        if (type == null) {
            return null;
        }
        if (type.hasRawClass(long[].class)) {
            return new IdArraySerializer(form == null ? Long::toString : form::format);
        }
        return form == null || TextForms.numberOf(type.getRawClass()) == null ? null : new IdSerializer(form, null);
    }

    @Override
    public @Nullable Object findDeserializer(Annotated attribute) {
        JavaType type = written(attribute);
        @Nullable TextForm form = formOf(attribute);
        JsonDeserialize own = attribute.getAnnotation(JsonDeserialize.class);
        boolean isReplaced =
                own != null && (own.using() != JsonDeserializer.None.class || own.converter() != Converter.None.class);
        String problem = problem(form, attribute, type, isReplaced);
        if (form != null && problem != null) {
            return new IdDeserializer(type, form, problem);
        }
        return form != null || isString(attribute) ? deserializer(type, form) : null;
    }

    @Override
    public @Nullable Object findContentDeserializer(Annotated attribute) {
        JavaType type = written(attribute);
        @Nullable TextForm form = formOf(attribute);
        return (form != null || isString(attribute)) && !isOfPrimitives(type)
                ? deserializer(type.getContentType(), form)
                : null;
    }

    private static @Nullable JsonDeserializer<?> deserializer(@Nullable JavaType type, @Nullable TextForm form) {
        if (type == null) {
            return null;
        }
        if (type.hasRawClass(long[].class)) {
            return new IdArrayDeserializer(type, form);
        }
        return TextForms.numberOf(type.getRawClass()) == null ? null : new IdDeserializer(type, form, null);
    }

    /** What an attribute is set to, which a setter does not return. */
    private static JavaType written(Annotated attribute) {
        return attribute instanceof AnnotatedMethod setter && setter.getParameterCount() == 1
                ? setter.getParameterType(0)
                : attribute.getType();
    }

    /** The form of an attribute, null if it has none. */
    @Nullable
    TextForm formOf(Annotated attribute) {
        @Nullable TextForm own = ownFormOf(attribute);
        @Nullable AnnotatedElement other = own == null ? elsewhere(attribute) : null;
        return other == null || forms == null
                ? own
                : forms.of(other.getAnnotation(PublicId.class), other.getAnnotation(IdText.class));
    }

    /** The form of an attribute, null if it has none itself. */
    @Nullable
    TextForm ownFormOf(Annotated attribute) {
        return forms == null
                ? null
                : forms.of(attribute.getAnnotation(PublicId.class), attribute.getAnnotation(IdText.class));
    }

    /** Where Jackson sees no annotation: the parameter of a setter, and the field that a parameter of a creator sets. */
    private static @Nullable AnnotatedElement elsewhere(Annotated attribute) {
        if (attribute instanceof AnnotatedMethod method && method.getParameterCount() > 0) {
            return method.getAnnotated().getParameters()[method.getParameterCount() - 1];
        }
        return attribute instanceof AnnotatedParameter parameter
                        && parameter.getOwner().getMember() instanceof Executable creator
                ? CreatorParameters.fieldOf(creator, parameter.getIndex(), parameter.getAnnotation(JsonProperty.class))
                : null;
    }

    /** What messages call an attribute. */
    static String name(AnnotatedMember attribute) {
        return attribute.getDeclaringClass().getSimpleName() + "." + attribute.getName();
    }

    /** The form of any field, method or parameter of a class, null if none has one. */
    @Nullable
    TextForm formIn(AnnotatedClass type) {
        List<Annotated> members = new ArrayList<>();
        type.fields().forEach(members::add);
        type.memberMethods().forEach(members::add);
        for (List<? extends AnnotatedWithParams> creators : List.of(type.getConstructors(), type.getFactoryMethods())) {
            for (AnnotatedWithParams creator : creators) {
                for (int i = 0; i < creator.getParameterCount(); i++) {
                    members.add(creator.getParameter(i));
                }
            }
        }
        for (Annotated member : members) {
            @Nullable TextForm form = ownFormOf(member);
            if (form != null) {
                return form;
            }
        }
        return null;
    }

    /**
     * Why an annotation cannot do what it promises, null if it can. The error waits for a value: else Spring would take another
     * mapper, which knows nothing of the annotation, and writes numbers.
     *
     * @param isReplaced whether Jackson is told to take another reader or writer; one of several ids would not ask ours for them
     */
    private static @Nullable String problem(
            @Nullable TextForm form, Annotated attribute, JavaType type, boolean isReplaced) {
        if (form == null) {
            return null;
        }
        if (attribute.hasAnnotation(JsonTypeInfo.class)) {
            return "is combined with @JsonTypeInfo, which lets Jackson write and read the number: remove that";
        }
        if (isIdOrArray(type)) {
            return null;
        }
        if (isOfPrimitives(type) || !isContainer(type) || !isIdOrArray(type.getContentType())) {
            return PublicIdErrors.holdsNoIds(type.toCanonical());
        }
        return isReplaced ? "stands beside a serializer or deserializer, which knows nothing of it" : null;
    }

    /** What asks for a reader or writer of its elements. Jackson also knows elements of others, such as {@code OptionalLong}. */
    private static boolean isContainer(JavaType type) {
        return type.isArrayType()
                || type.isCollectionLikeType()
                || type.isMapLikeType()
                || type.hasRawClass(Optional.class);
    }

    /** An array that takes no other reader or writer of its elements. */
    private static boolean isOfPrimitives(JavaType type) {
        return type.hasRawClass(long[].class) || type.hasRawClass(int[].class);
    }

    /** Whether a type is written and read as one, by a serializer and a deserializer of this package. */
    static boolean isIdOrArray(@Nullable JavaType type) {
        return type != null && (type.hasRawClass(long[].class) || TextForms.numberOf(type.getRawClass()) != null);
    }

    private boolean isString(Annotated attribute) {
        if (forms != null) {
            return false;
        }
        @Nullable AnnotatedElement other = elsewhere(attribute);
        return attribute.hasAnnotation(IdAsString.class)
                || (other != null && other.isAnnotationPresent(IdAsString.class))
                || (allIds
                        && (attribute.hasAnnotation(SnowflakeId.class)
                                || (other != null && other.isAnnotationPresent(SnowflakeId.class))));
    }
}
