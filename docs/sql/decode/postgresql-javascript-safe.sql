-- Decodes IDs of the layout 'javascript-safe' on PostgreSQL. Times are in UTC. Written by DecodingTests.
-- 41+0+5+7 bits of 1 ms from 2025-01-01T00:00:00Z (128000 IDs/s per worker, ends 2094-09-07T15:47:35.552Z)
-- The fields of each ID:
SELECT id,
       timestamptz '2025-01-01 00:00:00Z' + (id >> 12) * interval '0.001 s' AS generated_at,
       (id >> 12) & 0 AS datacenter_id,
       (id >> 7) & 31 AS worker_id,
       id & 127 AS sequence
FROM purchase;
-- The lowest ID of an instant:
SELECT floor(extract(epoch FROM timestamptz '2026-03-01 00:00:00Z' - timestamptz '2025-01-01 00:00:00Z') / 0.001)::BIGINT << 12 AS first_id;
-- The rows of a period. An instant within a tick counts as the start of that tick:
SELECT id, customer
FROM purchase
WHERE id >= floor(extract(epoch FROM timestamptz '2026-03-01 00:00:00Z' - timestamptz '2025-01-01 00:00:00Z') / 0.001)::BIGINT << 12
  AND id < floor(extract(epoch FROM timestamptz '2026-04-01 00:00:00Z' - timestamptz '2025-01-01 00:00:00Z') / 0.001)::BIGINT << 12;
