-- A server draws its run_id when it starts, and another master_replid each time it becomes the primary server; also when its first
-- replica connects and when it had no replica for an hour, which INFO cannot tell from the former for sure. Both are unknown if INFO is
-- not permitted; it is unknown then, too, whether the mark is of this server.
local key = KEYS[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function text(number) return string.format('%.0f', number) end
local run = string.match(info('server'), 'run_id:(%w+)')
local history = string.match(info('replication'), 'master_replid:(%w+)')
local mark = redis.call('HGET', key, 'mark')
local floor, writer, widest = string.match(mark or '', '^(%d+) (%S+) (%d+)$')
local server = run and run .. '-' .. (history or '') or writer or 'unknown'
