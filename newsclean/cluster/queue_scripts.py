"""The steps of the queue, each atomic, as Lua that Redis runs.

What is kept, each under the queue's name:

specs      hash, site: its job, as JSON; written by `add` alone
sites      hash, site: the registered domains that it asks, between spaces
due        sorted set of the sites that wait, by the time at which they are due
leases     sorted set of the sites that are crawled, by the time at which their leases expire
failed     sorted set of the sites that are given up, by the time of that
states     hash, site: who has it, and how its last run was, as JSON
intervals  hash, site: seconds between two runs, as they are now
tries      hash, site: failed tries of a run that has begun and was not yet done
holders    hash, holder of a lease: site
busy       hash, registered domain: the site whose crawl asks it
token      the last fencing token

All times are those of Redis: the clocks of the machines may differ.
"""

from __future__ import annotations

KEYS = (
    "specs", "sites", "due", "leases", "failed", "states", "intervals", "tries", "holders", "busy",
    "token",
)  # fmt: skip

#: Sites that are looked at for the one that is most overdue.
MAX_LOOKED_AT = 1000
#: The most seconds until a failed site is tried again.
MAX_BACKOFF = 6 * 3600

_COMMON = (
    "local key = {}\n"
    + "".join(f"key.{name} = KEYS[{number}]\n" for number, name in enumerate(KEYS, 1))
    + f"local MAX_LOOKED_AT, MAX_BACKOFF = {MAX_LOOKED_AT}, {MAX_BACKOFF}\n"
    + """
local clock = redis.call('TIME')
local now = tonumber(clock[1]) + tonumber(clock[2]) / 1000000

local function state_of(name)
  local text = redis.call('HGET', key.states, name)
  return text and cjson.decode(text) or {}
end

local function save(name, state)
  redis.call('HSET', key.states, name, cjson.encode(state))
end

local function domains_of(name)
  return string.gmatch(redis.call('HGET', key.sites, name) or '', '%S+')
end

local function is_busy(name)
  for domain in domains_of(name) do
    if redis.call('HEXISTS', key.busy, domain) == 1 then return true end
  end
  return false
end

local function has_lease(name, state, holder, token)
  return redis.call('ZSCORE', key.leases, name) and state.holder == holder and state.token == token
end

-- The site is nobody's.
local function release(name, state)
  redis.call('ZREM', key.leases, name)
  redis.call('HDEL', key.holders, state.holder)
  for domain in string.gmatch(state.domains or '', '%S+') do
    redis.call('HDEL', key.busy, domain)
  end
  state.released, state.released_by = state.token, state.holder
  state.holder, state.token, state.ended = nil, nil, now
end

-- The site was removed while somebody had it.
local function forget(name, state)
  release(name, state)
  redis.call('HDEL', key.states, name)
  redis.call('HDEL', key.tries, name)
end

-- A run has not succeeded: the site waits for another try, or is given up.
local function fail(name, state, wait, max_tries)
  local tries = redis.call('HINCRBY', key.tries, name, 1)
  if tries >= max_tries then
    redis.call('HDEL', key.tries, name)
    redis.call('ZADD', key.failed, now, name)
    state.outcome = 'failed'
  else
    local due = math.min(state.due or now, now)  -- it goes on as it was if it need not wait
    if wait > 0 then due = now + math.min(wait * 2 ^ (tries - 1), MAX_BACKOFF) end
    redis.call('ZADD', key.due, due, name)
    state.outcome = 'tried'
  end
end
"""
)

#: ARGV: site, job, interval in seconds, registered domains. Returns what has become of it.
ADD = (
    _COMMON
    + """
local name, spec, interval, domains = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
local before = redis.call('HGET', key.specs, name)
redis.call('HSET', key.specs, name, spec)
redis.call('HSET', key.sites, name, domains)
if before == spec then return 'known' end
redis.call('HSET', key.intervals, name, interval)
if redis.call('ZSCORE', key.leases, name) then return 'changed' end
redis.call('ZREM', key.failed, name)
if not before then
  redis.call('ZADD', key.due, now, name)
  return 'added'
end
redis.call('HDEL', key.tries, name)
redis.call('ZADD', key.due, now, name)
return 'changed'
"""
)

#: ARGV: holder, seconds of the lease, tries after which a site is given up.
TAKE = (
    _COMMON
    + """
local holder, seconds, max_tries = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
for _, name in ipairs(redis.call('ZRANGEBYSCORE', key.leases, '-inf', now)) do
  local state = state_of(name)
  if redis.call('HEXISTS', key.specs, name) == 1 then
    state.reason = 'its worker has died, or could not reach Redis: ' .. tostring(state.holder)
    release(name, state)
    state.released, state.released_by = nil, nil  -- it was not released by who had it
    fail(name, state, 0, max_tries)
    save(name, state)
  else
    forget(name, state)
  end
end

-- The answer to the same question may have been lost on its way.
local best = redis.call('HGET', key.holders, holder)
if best then
  local spec = redis.call('HGET', key.specs, best)
  if spec then
    redis.call('ZADD', key.leases, now + seconds, best)
    return {best, state_of(best).token, spec}
  end
  forget(best, state_of(best))  -- it was removed meanwhile
  best = false
end

local lateness = -1
local waiting = redis.call(
  'ZRANGEBYSCORE', key.due, '-inf', now, 'WITHSCORES', 'LIMIT', 0, MAX_LOOKED_AT)
for n = 1, #waiting, 2 do
  local name = waiting[n]
  local interval = tonumber(redis.call('HGET', key.intervals, name))
  local late = (now - tonumber(waiting[n + 1])) / interval
  if late > lateness and not is_busy(name) then best, lateness = name, late end
end
if not best then return false end
local state = state_of(best)
state.holder, state.token = holder, redis.call('INCR', key.token)
state.domains = redis.call('HGET', key.sites, best)
state.due = tonumber(redis.call('ZSCORE', key.due, best))
state.started, state.articles = now, 0
save(best, state)
redis.call('ZREM', key.due, best)
redis.call('ZADD', key.leases, now + seconds, best)
redis.call('HSETNX', key.tries, best, 0)
redis.call('HSET', key.holders, holder, best)
for domain in domains_of(best) do redis.call('HSET', key.busy, domain, best) end
return {best, state.token, redis.call('HGET', key.specs, best)}
"""
)

#: ARGV: site, holder, token, seconds of the lease, articles so far or nothing. Returns 1 if held.
RENEW = (
    _COMMON
    + """
local name, state = ARGV[1], state_of(ARGV[1])
if not has_lease(name, state, ARGV[2], tonumber(ARGV[3])) then return 0 end
redis.call('ZADD', key.leases, now + tonumber(ARGV[4]), name)
local articles = tonumber(ARGV[5])
if articles and state.articles ~= articles then
  state.articles = articles
  save(name, state)
end
return 1
"""
)

#: ARGV: site, holder, token, outcome, reason, articles, seconds to wait, tries.
#: Returns 1 if the lease was held, or if this was reported before.
FINISH = (
    _COMMON
    + """
local name, holder, token = ARGV[1], ARGV[2], tonumber(ARGV[3])
local outcome, wait, max_tries = ARGV[4], tonumber(ARGV[7]), tonumber(ARGV[8])
local state = state_of(name)
if not has_lease(name, state, holder, token) then
  return (state.released == token and state.released_by == holder) and 1 or 0
end
if redis.call('HEXISTS', key.specs, name) == 0 then
  forget(name, state)
  return 1
end
release(name, state)
state.outcome, state.reason, state.articles = outcome, ARGV[5], tonumber(ARGV[6])
state.runs = (state.runs or 0) + 1
if outcome == 'done' then
  redis.call('HDEL', key.tries, name)
  if wait >= 0 then redis.call('ZADD', key.due, now + wait, name) end
  if wait > 0 then redis.call('HSET', key.intervals, name, wait) end
elseif outcome == 'given back' then
  redis.call('ZADD', key.due, now + wait, name)
else
  fail(name, state, wait, max_tries)
end
save(name, state)
return 1
"""
)

#: ARGV: sites, or none for all that have failed. Returns the sites that are due now.
RETRY = (
    _COMMON
    + """
local names = #ARGV > 0 and ARGV or redis.call('ZRANGE', key.failed, 0, -1)
local due = {}
for _, name in ipairs(names) do
  if not redis.call('ZSCORE', key.leases, name)
      and redis.call('HEXISTS', key.specs, name) == 1 then
    redis.call('ZREM', key.failed, name)
    redis.call('HDEL', key.tries, name)
    redis.call('ZADD', key.due, now, name)
    due[#due + 1] = name
  end
end
return due
"""
)

#: ARGV: sites; one that is crawled now is forgotten at the end of its crawl. Returns how many.
REMOVE = (
    _COMMON
    + """
local count = 0
for _, name in ipairs(ARGV) do
  count = count + redis.call('HDEL', key.specs, name)
  redis.call('HDEL', key.sites, name)
  redis.call('HDEL', key.intervals, name)
  redis.call('ZREM', key.due, name)
  redis.call('ZREM', key.failed, name)
  if not redis.call('ZSCORE', key.leases, name) then
    redis.call('HDEL', key.states, name)
    redis.call('HDEL', key.tries, name)
  end
end
return count
"""
)

#: ARGV: site, holder, token. Returns 1 if the lease is held.
HOLDS = (
    _COMMON
    + """
return has_lease(ARGV[1], state_of(ARGV[1]), ARGV[2], tonumber(ARGV[3])) and 1 or 0
"""
)

#: Returns how many sites are due, or have a run that was not yet done.
UNFINISHED = (
    _COMMON
    + """
return redis.call('ZCOUNT', key.due, '-inf', now) + redis.call('HLEN', key.tries)
"""
)
