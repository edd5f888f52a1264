-- Returns 1 if the counter was written, now or by an earlier send of the same call; 0 if the condition does not hold; -1 if the hash is
-- not a counter.
local is = redis.call('HMGET', KEYS[1], 'token')[1]
if is == ARGV[2] then return 1 end
if (is or '') ~= ARGV[1] then return 0 end
if not is and redis.call('EXISTS', KEYS[1]) == 1 then return -1 end
redis.call('HSET', KEYS[1], 'start', ARGV[3], 'increment', ARGV[4], 'last', ARGV[5], 'token', ARGV[2])
return 1
