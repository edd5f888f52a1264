-- MariaDB and MySQL: whether new IDs are above all numbers of the table. Layout default; run it for each table.
SELECT COALESCE(MAX(id), 0) < TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'2025-01-01 00:00:00', UTC_TIMESTAMP(6)) DIV 1000 << 22 AS safe
FROM purchase;
