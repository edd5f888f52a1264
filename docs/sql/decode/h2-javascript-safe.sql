-- Decodes IDs of the layout 'javascript-safe' on H2. Times are in UTC. Written by DecodingTests.
-- 41+0+5+7 bits of 1 ms from 2025-01-01T00:00:00Z (128000 IDs/s per worker, ends 2094-09-07T15:47:35.552Z)
-- The fields of each ID:
SELECT id,
       DATEADD(MICROSECOND, RSHIFT(id, 12) * 1000, TIMESTAMP WITH TIME ZONE '2025-01-01 00:00:00Z') AS generated_at,
       BITAND(RSHIFT(id, 12), 0) AS datacenter_id,
       BITAND(RSHIFT(id, 7), 31) AS worker_id,
       BITAND(id, 127) AS sequence
FROM purchase;
-- The lowest ID of an instant:
SELECT LSHIFT(DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '2025-01-01 00:00:00Z', TIMESTAMP WITH TIME ZONE '2026-03-01 00:00:00Z') / 1000, 12) AS first_id;
-- The rows of a period. An instant within a tick counts as the start of that tick:
SELECT id, customer
FROM purchase
WHERE id >= LSHIFT(DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '2025-01-01 00:00:00Z', TIMESTAMP WITH TIME ZONE '2026-03-01 00:00:00Z') / 1000, 12)
  AND id < LSHIFT(DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '2025-01-01 00:00:00Z', TIMESTAMP WITH TIME ZONE '2026-04-01 00:00:00Z') / 1000, 12);
