-- Partitions of a table by month on PostgreSQL, for the layout default. Needs the functions of snowflake-functions-postgresql.sql.
-- The table, with a partition for IDs from before the first month: SELECT snowflake_first_id('2026-01-01 00:00:00Z') returns the number.
CREATE TABLE purchase (
    id       BIGINT NOT NULL PRIMARY KEY,
    customer VARCHAR(100) NOT NULL
) PARTITION BY RANGE (id);
CREATE TABLE purchase_before_2026 PARTITION OF purchase
    FOR VALUES FROM (MINVALUE) TO (132271570944000000);

-- Creates the partitions of several months, and leaves existing ones alone.
CREATE OR REPLACE FUNCTION create_monthly_partitions(parent REGCLASS, first_month DATE, months INTEGER)
    RETURNS VOID LANGUAGE plpgsql AS $$
DECLARE
    month  TIMESTAMP;
    schema NAME;
    name   NAME;
BEGIN
    SELECT n.nspname, c.relname INTO schema, name
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE c.oid = parent;
    FOR i IN 0 .. months - 1 LOOP
        month := date_trunc('month', first_month::TIMESTAMP) + make_interval(months => i);
        EXECUTE format(
            'CREATE TABLE IF NOT EXISTS %I.%I PARTITION OF %s FOR VALUES FROM (%s) TO (%s)',
            schema,
            name || to_char(month, '_YYYY_MM'),
            parent,
            snowflake_first_id(month AT TIME ZONE 'UTC'),
            snowflake_first_id((month + interval '1 month') AT TIME ZONE 'UTC'));
    END LOOP;
END $$;

-- The partitions of a year and of the three months that follow it:
SELECT create_monthly_partitions('purchase', '2026-01-01', 15);

-- Run this regularly, for example daily by pg_cron or a @Scheduled method, with a lock_timeout of a few seconds:
SELECT create_monthly_partitions('purchase', current_date, 4);

-- Reads one partition, as EXPLAIN shows:
SELECT id, customer
FROM purchase
WHERE id >= snowflake_first_id('2026-03-01 00:00:00Z') AND id < snowflake_first_id('2026-04-01 00:00:00Z');

-- Deletes a month:
DROP TABLE purchase_2026_01;
