-- Partitions of a table by month on MariaDB and MySQL, for the layout default. Needs the functions of snowflake-functions-mariadb.sql or
-- snowflake-functions-mysql.sql.
-- The table, with a partition for IDs from before the first month: SELECT snowflake_first_id('2026-01-01') returns the number.
CREATE TABLE purchase (
    id       BIGINT NOT NULL PRIMARY KEY,
    customer VARCHAR(100) NOT NULL
) PARTITION BY RANGE (id) (
    PARTITION purchase_before_2026 VALUES LESS THAN (132271570944000000)
);

-- Adds the partition of a month, which ends before the first ID of the next month. Add months in order. Run this monthly, ahead of time,
-- for example in a @Scheduled method:
SET @end_of_month = snowflake_first_id('2026-02-01');
SET @statement = CONCAT('ALTER TABLE purchase ADD PARTITION (PARTITION purchase_2026_01 VALUES LESS THAN (', @end_of_month, '))');
PREPARE add_partition FROM @statement;
EXECUTE add_partition;
DEALLOCATE PREPARE add_partition;

-- Reads one partition:
SELECT id, customer
FROM purchase
WHERE id >= snowflake_first_id('2026-01-01') AND id < snowflake_first_id('2026-02-01');

-- Deletes a month:
ALTER TABLE purchase DROP PARTITION purchase_2026_01;
