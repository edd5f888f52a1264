-- Functions that read Snowflake IDs, for PostgreSQL 9.6 and newer.
-- Layout: 41+5+5+12 bits of 1 ms from 2025-01-01T00:00:00Z (4096000 IDs/s per worker, ends 2094-09-07T15:47:35.552Z)
--
-- snowflake_time(id)         when the ID was generated, rounded down to its tick. Exact for 285 years after the epoch.
-- snowflake_first_id(ts)     the lowest ID of the tick of ts. IDs of a span of time are those with
--                            id >= snowflake_first_id(from) AND id < snowflake_first_id(to), which uses an index on id.
--                            Not positive before the epoch. An error if it does not fit into BIGINT.
-- snowflake_datacenter(id), snowflake_worker(id), snowflake_sequence(id)

CREATE OR REPLACE FUNCTION snowflake_time(id BIGINT) RETURNS TIMESTAMPTZ
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT (TIMESTAMP '2025-01-01 00:00:00.000' + (id >> 22) * INTERVAL '1 milliseconds') AT TIME ZONE 'UTC'
$$;

CREATE OR REPLACE FUNCTION snowflake_first_id(ts TIMESTAMPTZ) RETURNS BIGINT
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT (EXTRACT(EPOCH FROM ts - TIMESTAMPTZ '2025-01-01 00:00:00.000+00') * 1000000)::BIGINT / 1000 * 4194304
$$;

CREATE OR REPLACE FUNCTION snowflake_datacenter(id BIGINT) RETURNS INTEGER
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT ((id >> 17) & 31)::INTEGER
$$;

CREATE OR REPLACE FUNCTION snowflake_worker(id BIGINT) RETURNS INTEGER
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT ((id >> 12) & 31)::INTEGER
$$;

CREATE OR REPLACE FUNCTION snowflake_sequence(id BIGINT) RETURNS INTEGER
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT (id & 4095)::INTEGER
$$;
