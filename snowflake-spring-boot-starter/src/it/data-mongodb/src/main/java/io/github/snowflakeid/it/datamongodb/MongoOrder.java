package io.github.snowflakeid.it.datamongodb;

import io.github.snowflakeid.SnowflakeId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.data.annotation.CreatedDate;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.mongodb.core.mapping.DBRef;
import org.springframework.data.mongodb.core.mapping.DocumentReference;
import org.springframework.data.mongodb.core.mapping.Field;
import org.springframework.data.mongodb.core.mapping.FieldType;

public class MongoOrder {

    // References by @DocumentReference need the type.
    @Id
    @Field(targetType = FieldType.INT64)
    public MongoOrderId id;

    @Version
    public Long version;

    @CreatedDate
    public Instant created;

    public String customer;

    public MongoOrderId replaces;

    public List<MongoOrderId> related;

    public List<Line> lines;

    public Set<Note> notes;

    public Map<String, Line> gifts;

    public Delivery delivery;

    @DBRef
    public MongoOrder parent;

    @DocumentReference
    public MongoOrder root;

    public MongoOrder(String customer) {
        this.customer = customer;
    }

    public record Line(@Id @SnowflakeId Long id, String product) {}

    public static class Note {

        @SnowflakeId(text = SnowflakeId.Text.CROCKFORD)
        public String number;

        public String text;

        public Note(String text) {
            this.text = text;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Note note && String.valueOf(number).equals(String.valueOf(note.number));
        }

        @Override
        public int hashCode() {
            return String.valueOf(number).hashCode();
        }
    }

    public record Delivery(@SnowflakeId("deliveries") Long number, List<Line> parcels) {}
}
