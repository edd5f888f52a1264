package io.github.snowflakeid.inserts;

import io.github.snowflakeid.SnowflakeId;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.SequenceGenerator;
import java.time.Instant;
import java.util.UUID;
import org.hibernate.annotations.UuidGenerator;

/** What is inserted: rows that differ in their ids only. */
@MappedSuperclass
abstract class Rows {

    String customer = "Ada Lovelace";
    long amount = 4200;
    Instant placedAt = Instant.now();

    /** Ids of this library. */
    @Entity(name = "snowflake")
    static class Snowflake extends Rows {
        @Id
        @SnowflakeId
        Long id;
    }

    /** Numbers of a sequence, reserved by fifty. */
    @Entity(name = "sequence")
    static class Sequence extends Rows {
        @Id
        @GeneratedValue(generator = "sequence_ids")
        @SequenceGenerator(name = "sequence_ids", allocationSize = 50)
        Long id;
    }

    /** Numbers of the column, which Hibernate has to ask for row by row. */
    @Entity(name = "identity")
    static class Identity extends Rows {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        Long id;
    }

    /** Random UUIDs, of version 4. */
    @Entity(name = "uuid_v4")
    static class RandomUuid extends Rows {
        @Id
        @UuidGenerator(style = UuidGenerator.Style.RANDOM)
        UUID id;
    }

    /** UUIDs that begin with the time, of version 7. */
    @Entity(name = "uuid_v7")
    static class TimeUuid extends Rows {
        @Id
        @UuidGenerator(algorithm = UuidVersion7.class)
        UUID id;
    }
}
