package io.github.snowflakeid.json.jackson2;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.ObjectIdGenerator;
import com.fasterxml.jackson.annotation.ObjectIdGenerators;
import com.fasterxml.jackson.databind.AnnotationIntrospector;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.ObjectIdInfo;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.ser.impl.PropertyBasedObjectIdGenerator;
import io.github.snowflakeid.publicid.TextForm;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Refers to an object by the text of its id: Jackson asks no serializer of the attribute for that. */
final class IdReferences extends PropertyBasedObjectIdGenerator {

    /** The problem of an annotation that an attribute's {@code @JsonIdentityInfo} would pass by. */
    static final String UNKNOWN =
            "is passed by where %s has @JsonIdentityInfo: let that stand on the class that has the id, instead";

    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // Made for one mapper.
    private final Function<Object, String> text;

    IdReferences(Class<?> scope, BeanPropertyWriter id, Function<Object, String> text) {
        super(scope, id);
        this.text = text;
    }

    /** How an attribute writes its id, null if that is not text by an annotation of this library. */
    static @Nullable Function<Object, String> textOf(AnnotationIntrospector annotations, Annotated id) {
        Object serializer = annotations.findSerializer(id);
        if (serializer instanceof IdSerializer own) {
            return own::text;
        }
        JsonFormat.Value format = annotations.findFormat(id);
        return serializer == null
                        && format != null
                        && format.getShape() == JsonFormat.Shape.STRING
                        && annotations.findDeserializer(id) instanceof IdDeserializer
                ? Object::toString
                : null;
    }

    /** The name of the attribute by whose id an attribute refers to its object, null if it says nothing of that itself. */
    static @Nullable String idOf(AnnotationIntrospector annotations, @Nullable Annotated attribute) {
        ObjectIdInfo identity = attribute == null ? null : annotations.findObjectIdInfo(attribute);
        return identity != null && identity.getGeneratorType() == ObjectIdGenerators.PropertyGenerator.class
                ? identity.getPropertyName().getSimpleName()
                : null;
    }

    /** What reads an attribute that refers to objects by a number of its own, null if it does not. */
    static @Nullable JsonDeserializer<?> refusal(
            DeserializationContext context,
            @Nullable BeanProperty attribute,
            JavaType type,
            Map<String, TextForm> forms) {
        AnnotatedMember member = attribute == null ? null : attribute.getMember();
        String id = idOf(context.getAnnotationIntrospector(), member);
        TextForm form = id == null ? null : forms.get(id);
        return member == null || form == null
                ? null
                : new IdDeserializer(type, form, UNKNOWN.formatted(IdAnnotations.name(member)));
    }

    @Override
    public @Nullable Object generateId(Object object) {
        Object id = super.generateId(object);
        return id == null ? null : text.apply(id);
    }

    @Override
    public ObjectIdGenerator<Object> forScope(Class<?> scope) {
        return new IdReferences(scope, _property, text);
    }
}
