-- Decodes IDs of the layout 'baidu' on MariaDB and MySQL. Times are in UTC. Written by DecodingTests.
-- 28+0+22+13 bits of 1 s from 2016-05-19T16:00:00Z (8192 IDs/s per worker, ends 2024-11-20T13:24:16Z)
-- The fields of each ID:
SELECT id,
       TIMESTAMP'2016-05-19 16:00:00' + INTERVAL (id >> 35) * 1000000 MICROSECOND AS generated_at,
       (id >> 35) & 0 AS datacenter_id,
       (id >> 13) & 4194303 AS worker_id,
       id & 8191 AS sequence
FROM purchase;
-- The lowest ID of an instant:
SELECT TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'2016-05-19 16:00:00', TIMESTAMP'2024-03-01 00:00:00') DIV 1000000 << 35 AS first_id;
-- The rows of a period. An instant within a tick counts as the start of that tick:
SELECT id, customer
FROM purchase
WHERE id >= TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'2016-05-19 16:00:00', TIMESTAMP'2024-03-01 00:00:00') DIV 1000000 << 35
  AND id < TIMESTAMPDIFF(MICROSECOND, TIMESTAMP'2016-05-19 16:00:00', TIMESTAMP'2024-04-01 00:00:00') DIV 1000000 << 35;
