-- Decodes IDs of the layout 'default' on HSQLDB. Times are in UTC. Written by DecodingTests.
-- 41+5+5+12 bits of 1 ms from 2025-01-01T00:00:00Z (4096000 IDs/s per worker, ends 2094-09-07T15:47:35.552Z)
-- The fields of each ID:
SELECT id,
       DATEADD('millisecond', id / 4194304 * 1, TIMESTAMP '2025-01-01 00:00:00') AS generated_at,
       BITAND(id / 131072, 31) AS datacenter_id,
       BITAND(id / 4096, 31) AS worker_id,
       BITAND(id, 4095) AS sequence
FROM purchase;
-- The lowest ID of an instant:
VALUES DATEDIFF('millisecond', TIMESTAMP '2025-01-01 00:00:00', TIMESTAMP '2026-03-01 00:00:00') / 1 * 4194304;
-- The rows of a period. An instant within a tick counts as the start of that tick:
SELECT id, customer
FROM purchase
WHERE id >= DATEDIFF('millisecond', TIMESTAMP '2025-01-01 00:00:00', TIMESTAMP '2026-03-01 00:00:00') / 1 * 4194304
  AND id < DATEDIFF('millisecond', TIMESTAMP '2025-01-01 00:00:00', TIMESTAMP '2026-04-01 00:00:00') / 1 * 4194304;
