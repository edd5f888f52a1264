-- Functions that read Snowflake IDs, for PostgreSQL 9.6 and newer.
-- Layout: ${layout}
--
-- snowflake_time(id)         when the ID was generated, rounded down to its tick. Exact for 285 years after the epoch.
-- snowflake_first_id(ts)     the lowest ID of the tick of ts. IDs of a span of time are those with
--                            id >= snowflake_first_id(from) AND id < snowflake_first_id(to), which uses an index on id.
--                            Not positive before the epoch. An error if it does not fit into BIGINT.
-- snowflake_datacenter(id), snowflake_worker(id), snowflake_sequence(id)

CREATE OR REPLACE FUNCTION snowflake_time(id BIGINT) RETURNS TIMESTAMPTZ
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT (TIMESTAMP '${epoch}' + (id >> ${time-shift}) * INTERVAL '${tick-millis} milliseconds') AT TIME ZONE 'UTC'
$$;

CREATE OR REPLACE FUNCTION snowflake_first_id(ts TIMESTAMPTZ) RETURNS BIGINT
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT (EXTRACT(EPOCH FROM ts - TIMESTAMPTZ '${epoch}+00') * 1000000)::BIGINT / ${tick-micros} * ${time-factor}
$$;

CREATE OR REPLACE FUNCTION snowflake_datacenter(id BIGINT) RETURNS INTEGER
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT ((id >> ${datacenter-shift}) & ${datacenter-mask})::INTEGER
$$;

CREATE OR REPLACE FUNCTION snowflake_worker(id BIGINT) RETURNS INTEGER
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT ((id >> ${worker-shift}) & ${worker-mask})::INTEGER
$$;

CREATE OR REPLACE FUNCTION snowflake_sequence(id BIGINT) RETURNS INTEGER
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT (id & ${sequence-mask})::INTEGER
$$;
