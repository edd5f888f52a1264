-- Returns 1 if the claim was written, now or by an earlier send of the same call; 0 if the condition does not hold; -1 if the claim
-- reserves time too far ahead; -2 if the floor is farther ahead than this clock would set it.
local step, field, nonce = ARGV[1], ARGV[2], ARGV[3]
local reach = math.max(tonumber(ARGV[12]), tonumber(widest or '0'))
local known = floor and writer == server
local is = redis.call('HGET', key, field)
if is or step ~= 'create' then
  local owner, reserved, expires, by = string.match(is or '', '^([^\n]*)\n([^\n]*)\n([^\n]*)\n([^\n]*)\n')
  if by == nonce then return 1 end
  if step == 'create' or owner ~= ARGV[4] or reserved ~= ARGV[5] then return 0 end
  -- On a server whose writes this server has lost, another process may have acquired the worker ID: after the expiry and one ttl, or, if that
  -- server had lost this lease, at its floor, at least the reach after the last renewal. The clocks of the servers differ by the margin at most.
  local late = math.min(ARGV[9] - ARGV[13], reach - ARGV[9])
  if step == 'renew' and now >= expires + math.max(0, late) then return 0 end
  -- A claim that waited for its floor proves nothing if leases may have been lost since: others may have got a lower floor.
  local waited = step == 'renew' and reserved == ARGV[7]
  if waited and (not known or tonumber(floor) > tonumber(ARGV[7])) then return 0 end
end
local from, untils = tonumber(ARGV[7]), tonumber(ARGV[8])
local least = known and tonumber(floor) or math.max(now + reach + ARGV[13], tonumber(floor or '0'))
if not floor and ARGV[14] == 'new' then least = 0 end
if step ~= 'release' then
  if step ~= 'renew' then
    if from < least then return 0 end
    if least > now + reach + 2 * ARGV[13] then return -2 end
  end
  if untils > from and untils > now + ARGV[12] then return -1 end
  if not known or reach > tonumber(widest) then
    redis.call('HSET', key, 'mark', text(least) .. ' ' .. server .. ' ' .. text(reach))
  end
end
redis.call('HSET', key, field,
  ARGV[6] .. '\n' .. ARGV[8] .. '\n' .. text(now + ARGV[9]) .. '\n' .. nonce .. '\n' .. ARGV[10] .. '\n' .. ARGV[11])
return 1
