-- PostgreSQL: whether new IDs are above all numbers of the table. Layout default; run it for each table.
SELECT COALESCE(max(id), 0) < floor(extract(epoch FROM now() - timestamptz '2025-01-01 00:00:00Z') / 0.001)::BIGINT << 22 AS safe
FROM purchase;
