-- MariaDB and MySQL: whether new IDs are above all numbers of the table, except those that a counter issued at the end of the layout.
-- Layout default; run it for each table. For the layout javascript-safe, also replace the last number by 9006099743113216.
SELECT COALESCE(MAX(id), 0) < TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'2025-01-01 00:00:00', UTC_TIMESTAMP(6)) DIV 1000 << 22 AS safe
FROM purchase WHERE id < 9223370937343148032;
