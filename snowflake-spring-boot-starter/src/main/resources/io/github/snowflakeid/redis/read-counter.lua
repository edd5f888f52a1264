-- Returns start, increment, last number and token; nothing if the key is missing, one element if the hash is not a counter.
local is = redis.call('HMGET', KEYS[1], 'start', 'increment', 'last', 'token')
if is[4] then return is end
return redis.call('EXISTS', KEYS[1]) == 1 and {'foreign'} or {}
