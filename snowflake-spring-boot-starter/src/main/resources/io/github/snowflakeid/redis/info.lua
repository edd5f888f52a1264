-- Returns a section of INFO; an empty text if INFO is not permitted.
local function info(section)
  local answer = redis.pcall('INFO', section)
  return type(answer) == 'string' and answer or ''
end
