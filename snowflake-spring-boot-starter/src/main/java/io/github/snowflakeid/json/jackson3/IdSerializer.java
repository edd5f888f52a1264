package io.github.snowflakeid.json.jackson3;

import io.github.snowflakeid.internal.mapping.IdType;
import io.github.snowflakeid.publicid.PublicIdErrors;
import io.github.snowflakeid.publicid.TextForm;
import io.github.snowflakeid.publicid.TextForms;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ser.std.StdScalarSerializer;

/** Writes an id as text of a form. */
final class IdSerializer extends StdScalarSerializer<Object> {

    private final TextForm form;

    private final @Nullable String problem;

    /** @param problem why there is none to write, or null */
    IdSerializer(TextForm form, @Nullable String problem) {
        super(Object.class);
        this.form = form;
        this.problem = problem;
    }

    @Override
    public void serialize(Object id, JsonGenerator json, SerializationContext provider) {
        json.writeString(text(id));
    }

    /** What is written for an id. */
    String text(Object id) {
        if (problem != null) {
            throw PublicIdErrors.misplaced(form, "an attribute", problem);
        }
        if (TextForms.numberOf(id.getClass()) == null) {
            // A converter of the application has made something else of it.
            throw PublicIdErrors.noId(form, "an attribute", id.getClass().getTypeName());
        }
        return form.format(IdType.toLong(id));
    }
}
