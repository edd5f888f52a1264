package io.github.snowflakeid.redis;

/**
 * What Redis runs. Numbers stay texts where they are only compared: Lua has no whole numbers of 64 bits. Milliseconds since 1970
 * are exact as its numbers up to the year 287396.
 *
 * <p>An entry is one text of six lines: owner, reserved until, expires at, the call that wrote it, layout, who that is. The field
 * {@code mark} has the floor and the server that wrote it, with a space in between.
 */
final class Scripts {

    /** {@code run_id} is drawn by each server when it starts. It is not known where INFO is not permitted. */
    private static final String COMMON = """
            local key = KEYS[1]
            local time = redis.call('TIME')
            local now = time[1] * 1000 + math.floor(time[2] / 1000)
            local function text(number) return string.format('%.0f', number) end
            local function info(section)
              local answer = redis.pcall('INFO', section)
              return type(answer) == 'string' and answer or ''
            end
            local server = string.match(info('server'), 'run_id:(%w+)') or 'unknown'
            local mark = redis.call('HGET', key, 'mark')
            local floor, writer = string.match(mark or '', '^(%d+) (%w+)$')
            """;

    /** Returns clock, server, writer, floor, two answers of INFO if asked, then fields and values. */
    static final String READ = COMMON + """
            local answer = {text(now), server, writer or '', floor or '', '', ''}
            if ARGV[1] == 'check' then
              answer[5] = info('memory') .. info('persistence')
              answer[6] = info('replication')
            end
            local all = redis.call('HGETALL', key)
            for i = 1, #all, 2 do
              if all[i] ~= 'mark' then
                answer[#answer + 1] = all[i]
                answer[#answer + 1] = all[i + 1]
              end
            end
            return answer
            """;

    /** Returns 1 if it was written, 0 if the condition does not hold, -1 if it asks for too much. */
    static final String WRITE = COMMON + """
            local step, field, nonce = ARGV[1], ARGV[2], ARGV[3]
            local furthest = now + ARGV[12]
            local is = redis.call('HGET', key, field)
            if is or step ~= 'create' then
              local owner, reserved, expires, by = string.match(is or '', '^([^\\n]*)\\n([^\\n]*)\\n([^\\n]*)\\n([^\\n]*)\\n')
              if by == nonce then return 1 end
              if step == 'create' or owner ~= ARGV[4] or reserved ~= ARGV[5] then return 0 end
              -- Somebody else may have taken it over in what this server does not know of.
              if step == 'renew' and now >= expires + ARGV[9] then return 0 end
            end
            local from, untils = tonumber(ARGV[7]), tonumber(ARGV[8])
            local known = floor and writer == server
            local least = known and tonumber(floor) or math.max(furthest, tonumber(floor or '0'))
            if not floor and ARGV[14] == 'new' then least = 0 end
            if step == 'create' or step == 'replace' then
              if from < least then return 0 end
              if untils > from and untils > furthest then return -1 end
              if not known then redis.call('HSET', key, 'mark', text(ARGV[14] == 'new' and not floor and 0 or from) .. ' ' .. server) end
            elseif step == 'renew' then
              if untils > furthest then return -1 end
              if not known then redis.call('HSET', key, 'mark', text(least + ARGV[13]) .. ' ' .. server) end
            end
            redis.call('HSET', key, field,
              ARGV[6] .. '\\n' .. ARGV[8] .. '\\n' .. text(now + ARGV[9]) .. '\\n' .. nonce .. '\\n' .. ARGV[10] .. '\\n' .. ARGV[11])
            return 1
            """;

    private Scripts() {}
}
