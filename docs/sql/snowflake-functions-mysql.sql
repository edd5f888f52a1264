-- Functions that read Snowflake IDs, for MySQL 5.6 and newer.
-- Layout: 41+5+5+12 bits of 1 ms from 2025-01-01T00:00:00Z (4096000 IDs/s per worker, ends 2094-09-07T15:47:35.552Z)
--
-- snowflake_time(id)         when the ID was generated, in UTC whatever the time zone of the session, rounded down to its tick
-- snowflake_first_id(ts)     the lowest ID of the tick of ts, which is in UTC: use UTC_TIMESTAMP(6), not NOW(). IDs of a span of
--                            time are those with id >= snowflake_first_id(from) AND id < snowflake_first_id(to).
--                            Not positive before the epoch. An error if it does not fit into BIGINT.
-- snowflake_datacenter(id), snowflake_worker(id), snowflake_sequence(id)
--
-- With binary logging, the user needs the right SUPER, or the server needs log_bin_trust_function_creators = 1.

DROP FUNCTION IF EXISTS snowflake_time;
CREATE FUNCTION snowflake_time(id BIGINT) RETURNS DATETIME(3) DETERMINISTIC NO SQL
    RETURN TIMESTAMP'2025-01-01 00:00:00.000' + INTERVAL (id >> 22) * 1000 MICROSECOND;

DROP FUNCTION IF EXISTS snowflake_first_id;
CREATE FUNCTION snowflake_first_id(ts DATETIME(6)) RETURNS BIGINT DETERMINISTIC NO SQL
    RETURN TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'2025-01-01 00:00:00.000', ts) DIV 1000 * 4194304;

DROP FUNCTION IF EXISTS snowflake_datacenter;
CREATE FUNCTION snowflake_datacenter(id BIGINT) RETURNS INTEGER DETERMINISTIC NO SQL
    RETURN (id >> 17) & 31;

DROP FUNCTION IF EXISTS snowflake_worker;
CREATE FUNCTION snowflake_worker(id BIGINT) RETURNS INTEGER DETERMINISTIC NO SQL
    RETURN (id >> 12) & 31;

DROP FUNCTION IF EXISTS snowflake_sequence;
CREATE FUNCTION snowflake_sequence(id BIGINT) RETURNS INTEGER DETERMINISTIC NO SQL
    RETURN id & 4095;
