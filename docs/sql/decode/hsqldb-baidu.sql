-- Decodes IDs of the layout 'baidu' on HSQLDB. Times are in UTC. Written by DecodingTests.
-- 28+0+22+13 bits of 1 s from 2016-05-19T16:00:00Z (8192 IDs/s per worker, ends 2024-11-20T13:24:16Z)
-- The fields of each ID:
SELECT id,
       DATEADD('millisecond', id / 34359738368 * 1000, TIMESTAMP '2016-05-19 16:00:00') AS generated_at,
       BITAND(id / 34359738368, 0) AS datacenter_id,
       BITAND(id / 8192, 4194303) AS worker_id,
       BITAND(id, 8191) AS sequence
FROM purchase;
-- The lowest ID of an instant:
VALUES DATEDIFF('millisecond', TIMESTAMP '2016-05-19 16:00:00', TIMESTAMP '2024-03-01 00:00:00') / 1000 * 34359738368;
-- The rows of a period. An instant within a tick counts as the start of that tick:
SELECT id, customer
FROM purchase
WHERE id >= DATEDIFF('millisecond', TIMESTAMP '2016-05-19 16:00:00', TIMESTAMP '2024-03-01 00:00:00') / 1000 * 34359738368
  AND id < DATEDIFF('millisecond', TIMESTAMP '2016-05-19 16:00:00', TIMESTAMP '2024-04-01 00:00:00') / 1000 * 34359738368;
