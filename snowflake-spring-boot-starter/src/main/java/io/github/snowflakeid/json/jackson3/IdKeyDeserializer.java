package io.github.snowflakeid.json.jackson3;

import io.github.snowflakeid.internal.failure.ConfigurationException;
import io.github.snowflakeid.internal.json.JsonId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.KeyDeserializer;

/** Reads an ID that is a map key. */
final class IdKeyDeserializer extends KeyDeserializer {

    private final JsonId id;

    IdKeyDeserializer(JsonId id) {
        this.id = id;
    }

    @Override
    public @Nullable Object deserializeKey(String key, DeserializationContext context) {
        try {
            return id.parse(key);
        } catch (IllegalArgumentException e) {
            return context.handleWeirdKey(id.type().javaType(), key, id.rejection());
        } catch (ConfigurationException e) {
            throw IdDeserializer.badDefinition(context, e);
        }
    }
}
