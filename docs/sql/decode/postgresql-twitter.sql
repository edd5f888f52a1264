-- Decodes IDs of the layout 'twitter' on PostgreSQL. Times are in UTC. Written by DecodingTests.
-- 41+5+5+12 bits of 1 ms from 2010-11-04T01:42:54.657Z (4096000 IDs/s per worker, ends 2080-07-10T17:30:30.209Z)
-- The fields of each ID:
SELECT id,
       timestamptz '2010-11-04 01:42:54.657Z' + (id >> 22) * interval '0.001 s' AS generated_at,
       (id >> 17) & 31 AS datacenter_id,
       (id >> 12) & 31 AS worker_id,
       id & 4095 AS sequence
FROM purchase;
-- The lowest ID of an instant:
SELECT floor(extract(epoch FROM timestamptz '2026-03-01 00:00:00Z' - timestamptz '2010-11-04 01:42:54.657Z') / 0.001)::BIGINT << 22 AS first_id;
-- The rows of a period. An instant within a tick counts as the start of that tick:
SELECT id, customer
FROM purchase
WHERE id >= floor(extract(epoch FROM timestamptz '2026-03-01 00:00:00Z' - timestamptz '2010-11-04 01:42:54.657Z') / 0.001)::BIGINT << 22
  AND id < floor(extract(epoch FROM timestamptz '2026-04-01 00:00:00Z' - timestamptz '2010-11-04 01:42:54.657Z') / 0.001)::BIGINT << 22;
