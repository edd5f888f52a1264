-- Functions that read Snowflake IDs, for H2 2.0 and newer. H2 compiles them, so it has to run on a JDK, and the user has to be an
-- administrator of the database.
-- Layout: 41+5+5+12 bits of 1 ms from 2025-01-01T00:00:00Z (4096000 IDs/s per worker, ends 2094-09-07T15:47:35.552Z)
--
-- snowflake_time(id)         when the ID was generated, rounded down to its tick
-- snowflake_first_id(ts)     the lowest ID of the tick of ts. IDs of a span of time are those with
--                            id >= snowflake_first_id(from) AND id < snowflake_first_id(to), which uses an index on id.
--                            Negative before the epoch. An error if it does not fit into BIGINT.
-- snowflake_datacenter(id), snowflake_worker(id), snowflake_sequence(id)

DROP ALIAS IF EXISTS snowflake_time;
CREATE ALIAS snowflake_time DETERMINISTIC AS '
java.time.OffsetDateTime time(long id) {
    return java.time.Instant.ofEpochMilli(1735689600000L + (id >> 22) * 1L)
            .atOffset(java.time.ZoneOffset.UTC);
}';

DROP ALIAS IF EXISTS snowflake_first_id;
CREATE ALIAS snowflake_first_id DETERMINISTIC AS '
Long firstId(java.time.OffsetDateTime ts) {
    return ts == null
            ? null
            : Math.multiplyExact(
                    Math.floorDiv(ts.toInstant().toEpochMilli() - 1735689600000L, 1L), 1L << 22);
}';

DROP ALIAS IF EXISTS snowflake_datacenter;
CREATE ALIAS snowflake_datacenter DETERMINISTIC AS '
int datacenter(long id) {
    return (int) ((id >> 17) & 31);
}';

DROP ALIAS IF EXISTS snowflake_worker;
CREATE ALIAS snowflake_worker DETERMINISTIC AS '
int worker(long id) {
    return (int) ((id >> 12) & 31);
}';

DROP ALIAS IF EXISTS snowflake_sequence;
CREATE ALIAS snowflake_sequence DETERMINISTIC AS '
int sequence(long id) {
    return (int) (id & 4095);
}';
