-- Returns clock, server, writer, floor, widest, two texts from INFO (empty unless requested), then the fields and their values.
local answer = {text(now), server, writer or '', floor or '', widest or '0', '', ''}
if ARGV[1] == 'check' then
  answer[6] = info('memory') .. info('persistence')
  answer[7] = info('replication')
end
local all = redis.call('HGETALL', key)
for i = 1, #all, 2 do
  if all[i] ~= 'mark' then
    answer[#answer + 1] = all[i]
    answer[#answer + 1] = all[i + 1]
  end
end
return answer
