-- Decodes IDs of the layout 'discord' on MariaDB and MySQL. Times are in UTC. Written by DecodingTests.
-- 42+5+5+12 bits of 1 ms from 2015-01-01T00:00:00Z (4096000 IDs/s per worker, ends 2084-09-06T15:47:35.552Z)
-- The fields of each ID:
SELECT id,
       TIMESTAMP'2015-01-01 00:00:00' + INTERVAL (id >> 22) * 1000 MICROSECOND AS generated_at,
       (id >> 17) & 31 AS datacenter_id,
       (id >> 12) & 31 AS worker_id,
       id & 4095 AS sequence
FROM purchase;
-- The lowest ID of an instant:
SELECT TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'2015-01-01 00:00:00', TIMESTAMP'2026-03-01 00:00:00') DIV 1000 << 22 AS first_id;
-- The rows of a period. An instant within a tick counts as the start of that tick:
SELECT id, customer
FROM purchase
WHERE id >= TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'2015-01-01 00:00:00', TIMESTAMP'2026-03-01 00:00:00') DIV 1000 << 22
  AND id < TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'2015-01-01 00:00:00', TIMESTAMP'2026-04-01 00:00:00') DIV 1000 << 22;
