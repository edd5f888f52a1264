-- Decodes IDs of the layout 'javascript-safe' on MariaDB and MySQL. Times are in UTC. Written by DecodingTests.
-- 41+0+5+7 bits of 1 ms from 2025-01-01T00:00:00Z (128000 IDs/s per worker, ends 2094-09-07T15:47:35.552Z)
-- The fields of each ID:
SELECT id,
       TIMESTAMP'2025-01-01 00:00:00' + INTERVAL (id >> 12) * 1000 MICROSECOND AS generated_at,
       (id >> 12) & 0 AS datacenter_id,
       (id >> 7) & 31 AS worker_id,
       id & 127 AS sequence
FROM purchase;
-- The lowest ID of an instant:
SELECT TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'2025-01-01 00:00:00', TIMESTAMP'2026-03-01 00:00:00') DIV 1000 << 12 AS first_id;
-- The rows of a period. An instant within a tick counts as the start of that tick:
SELECT id, customer
FROM purchase
WHERE id >= TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'2025-01-01 00:00:00', TIMESTAMP'2026-03-01 00:00:00') DIV 1000 << 12
  AND id < TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'2025-01-01 00:00:00', TIMESTAMP'2026-04-01 00:00:00') DIV 1000 << 12;
