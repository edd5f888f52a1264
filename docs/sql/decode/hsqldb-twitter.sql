-- Decodes IDs of the layout 'twitter' on HSQLDB. Times are in UTC. Written by DecodingTests.
-- 41+5+5+12 bits of 1 ms from 2010-11-04T01:42:54.657Z (4096000 IDs/s per worker, ends 2080-07-10T17:30:30.209Z)
-- The fields of each ID:
SELECT id,
       DATEADD('millisecond', id / 4194304 * 1, TIMESTAMP '2010-11-04 01:42:54.657') AS generated_at,
       BITAND(id / 131072, 31) AS datacenter_id,
       BITAND(id / 4096, 31) AS worker_id,
       BITAND(id, 4095) AS sequence
FROM purchase;
-- The lowest ID of an instant:
VALUES DATEDIFF('millisecond', TIMESTAMP '2010-11-04 01:42:54.657', TIMESTAMP '2026-03-01 00:00:00') / 1 * 4194304;
-- The rows of a period. An instant within a tick counts as the start of that tick:
SELECT id, customer
FROM purchase
WHERE id >= DATEDIFF('millisecond', TIMESTAMP '2010-11-04 01:42:54.657', TIMESTAMP '2026-03-01 00:00:00') / 1 * 4194304
  AND id < DATEDIFF('millisecond', TIMESTAMP '2010-11-04 01:42:54.657', TIMESTAMP '2026-04-01 00:00:00') / 1 * 4194304;
