package io.github.snowflakeid.json.jackson2;

import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.KeyDeserializer;
import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.json.JsonId;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads an ID that is a map key. */
final class IdKeyDeserializer extends KeyDeserializer {

    private final JsonId id;

    IdKeyDeserializer(JsonId id) {
        this.id = id;
    }

    @Override
    public @Nullable Object deserializeKey(String key, DeserializationContext context) throws IOException {
        try {
            return id.parse(key);
        } catch (IllegalArgumentException e) {
            return context.handleWeirdKey(id.type().javaType(), key, id.rejection());
        } catch (ConfigurationException e) {
            throw IdDeserializer.badDefinition(context, e);
        }
    }
}
