package io.github.snowflakeid.json.jackson2;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import io.github.snowflakeid.mapping.IdType;
import io.github.snowflakeid.publicid.PublicIdFailure;
import io.github.snowflakeid.publicid.TextForm;
import io.github.snowflakeid.publicid.TextForms;
import java.io.IOException;

/** Writes an id as text of a form. */
final class IdSerializer extends StdScalarSerializer<Object> {

    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // As with that of its mapper.
    private final TextForm form;

    private final String type;

    IdSerializer(TextForm form, JavaType type) {
        super(Object.class);
        this.form = form;
        this.type = type.toCanonical();
    }

    @Override
    public void serialize(Object id, JsonGenerator json, SerializerProvider provider) throws IOException {
        if (TextForms.numberOf(id.getClass()) == null) {
            throw PublicIdFailure.noId(form, "an attribute", type);
        }
        json.writeString(form.format(IdType.toLong(id)));
    }
}
