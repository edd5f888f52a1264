-- A server generates its run_id when it starts. It generates a new master_replid each time it becomes the primary server, but also when its
-- first replica connects and after an hour without replicas; INFO does not reliably distinguish these cases. If INFO is not permitted, both
-- are unknown, and so is whether this server wrote the mark.
local key = KEYS[1]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function text(number) return string.format('%.0f', number) end
local run = string.match(info('server'), 'run_id:(%w+)')
local history = string.match(info('replication'), 'master_replid:(%w+)')
local mark = redis.call('HGET', key, 'mark')
local floor, writer, widest = string.match(mark or '', '^(%d+) (%S+) (%d+)$')
local server = run and run .. '-' .. (history or '') or writer or 'unknown'
