package io.github.snowflakeid.redis;

/**
 * What Redis runs. Numbers stay texts where they are only compared: Lua has no whole numbers of 64 bits. Milliseconds since 1970
 * are exact as its numbers up to the year 287396.
 *
 * <p>An entry of a namespace is one text of six lines: owner, reserved until, expires at, the call that wrote it, layout, who that is. The field
 * {@code mark} has the floor, the server that wrote it, and how far ahead anybody has reserved, with spaces in between.
 */
final class Scripts {

    /** Empty where INFO is not permitted. */
    private static final String INFO = """
            local function info(section)
              local answer = redis.pcall('INFO', section)
              return type(answer) == 'string' and answer or ''
            end
            """;

    /**
     * A server draws its {@code run_id} when it starts, and another {@code master_replid} each time it becomes the primary; also
     * when its first replica comes and when it had none for an hour, which INFO cannot tell from the former for sure. They are not
     * known where INFO is not permitted; nor is then whether the mark is of this server.
     */
    private static final String COMMON = INFO + """
            local key = KEYS[1]
            local time = redis.call('TIME')
            local now = time[1] * 1000 + math.floor(time[2] / 1000)
            local function text(number) return string.format('%.0f', number) end
            local run = string.match(info('server'), 'run_id:(%w+)')
            local history = string.match(info('replication'), 'master_replid:(%w+)')
            local mark = redis.call('HGET', key, 'mark')
            local floor, writer, widest = string.match(mark or '', '^(%d+) (%S+) (%d+)$')
            local server = run and run .. '-' .. (history or '') or writer or 'unknown'
            """;

    /** Returns clock, server, writer, floor, widest, two answers of INFO if asked, then fields and values. */
    static final String READ = COMMON + """
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
            """;

    /** Returns 1 if it was written, 0 if the condition does not hold, -1 if it asks for too much. */
    static final String WRITE = COMMON + """
            local step, field, nonce = ARGV[1], ARGV[2], ARGV[3]
            local reach = math.max(tonumber(ARGV[12]), tonumber(widest or '0'))
            local known = floor and writer == server
            local is = redis.call('HGET', key, field)
            if is or step ~= 'create' then
              local owner, reserved, expires, by = string.match(is or '', '^([^\\n]*)\\n([^\\n]*)\\n([^\\n]*)\\n([^\\n]*)\\n')
              if by == nonce then return 1 end
              if step == 'create' or owner ~= ARGV[4] or reserved ~= ARGV[5] then return 0 end
              -- Somebody else may have taken it over in what this server does not know of.
              if step == 'renew' and now >= expires + (known and ARGV[9] or 0) then return 0 end
            end
            local from, untils = tonumber(ARGV[7]), tonumber(ARGV[8])
            local least = known and tonumber(floor) or math.max(now + reach + ARGV[13], tonumber(floor or '0'))
            if not floor and ARGV[14] == 'new' then least = 0 end
            if step ~= 'release' then
              if step ~= 'renew' and from < least then return 0 end
              if untils > from and untils > now + ARGV[12] then return -1 end
              if not known or reach > tonumber(widest) then
                redis.call('HSET', key, 'mark', text(least) .. ' ' .. server .. ' ' .. text(reach))
              end
            end
            redis.call('HSET', key, field,
              ARGV[6] .. '\\n' .. ARGV[8] .. '\\n' .. text(now + ARGV[9]) .. '\\n' .. nonce .. '\\n' .. ARGV[10] .. '\\n' .. ARGV[11])
            return 1
            """;

    /** Returns two answers of INFO of the server that has the key. */
    static final String CHECK = INFO + """
            return {info('memory') .. info('persistence'), info('replication')}
            """;

    /** Returns start, increment, last number and token; nothing if there is no counter, one element if there is something else. */
    static final String READ_COUNTER = """
            local is = redis.call('HMGET', KEYS[1], 'start', 'increment', 'last', 'token')
            if is[4] then return is end
            return redis.call('EXISTS', KEYS[1]) == 1 and {'foreign'} or {}
            """;

    /** Returns 1 if it was written, now or before, 0 if the condition does not hold, -1 if there is something else. */
    static final String WRITE_COUNTER = """
            local is = redis.call('HMGET', KEYS[1], 'token')[1]
            if is == ARGV[2] then return 1 end
            if (is or '') ~= ARGV[1] then return 0 end
            if not is and redis.call('EXISTS', KEYS[1]) == 1 then return -1 end
            redis.call('HSET', KEYS[1], 'start', ARGV[3], 'increment', ARGV[4], 'last', ARGV[5], 'token', ARGV[2])
            return 1
            """;

    private Scripts() {}
}
