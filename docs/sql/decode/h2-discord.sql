-- Decodes IDs of the layout 'discord' on H2. Times are in UTC. Written by DecodingTests.
-- 42+5+5+12 bits of 1 ms from 2015-01-01T00:00:00Z (4096000 IDs/s per worker, ends 2084-09-06T15:47:35.552Z)
-- The fields of each ID:
SELECT id,
       DATEADD(MICROSECOND, RSHIFT(id, 22) * 1000, TIMESTAMP WITH TIME ZONE '2015-01-01 00:00:00Z') AS generated_at,
       BITAND(RSHIFT(id, 17), 31) AS datacenter_id,
       BITAND(RSHIFT(id, 12), 31) AS worker_id,
       BITAND(id, 4095) AS sequence
FROM purchase;
-- The lowest ID of an instant:
SELECT LSHIFT(DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '2015-01-01 00:00:00Z', TIMESTAMP WITH TIME ZONE '2026-03-01 00:00:00Z') / 1000, 22) AS first_id;
-- The rows of a period. An instant within a tick counts as the start of that tick:
SELECT id, customer
FROM purchase
WHERE id >= LSHIFT(DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '2015-01-01 00:00:00Z', TIMESTAMP WITH TIME ZONE '2026-03-01 00:00:00Z') / 1000, 22)
  AND id < LSHIFT(DATEDIFF(MICROSECOND, TIMESTAMP WITH TIME ZONE '2015-01-01 00:00:00Z', TIMESTAMP WITH TIME ZONE '2026-04-01 00:00:00Z') / 1000, 22);
