package io.github.snowflakeid.json.jackson3;

import io.github.snowflakeid.mapping.IdType;
import io.github.snowflakeid.publicid.PublicIdFailure;
import io.github.snowflakeid.publicid.TextForm;
import io.github.snowflakeid.publicid.TextForms;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdScalarSerializer;

/** Writes an id as text of a form. */
final class IdSerializer extends StdScalarSerializer<Object> {

    private final TextForm form;

    private final String type;

    IdSerializer(TextForm form, JavaType type) {
        super(Object.class);
        this.form = form;
        this.type = type.toCanonical();
    }

    @Override
    public void serialize(Object id, JsonGenerator json, SerializationContext provider) {
        if (TextForms.numberOf(id.getClass()) == null) {
            throw PublicIdFailure.noId(form, "an attribute", type);
        }
        json.writeString(form.format(IdType.toLong(id)));
    }
}
