-- The only code that writes balances, grants, holds and the ledger. SQL functions, because each must be one round trip
-- and still see what earlier callers committed: the first statement locks the user's balance row, and each following
-- statement of a function has a fresh snapshot.

-- p_now and p_day are null except in tests: the time is the database's.

-- The day in UTC+3, as in server/features/billing/days.ts.
create or replace function money_day(p_now timestamptz) returns date language sql immutable as $$
  select ((p_now at time zone 'utc') + interval '3 hours')::date
$$;

create or replace function money_month(p_day date) returns date language sql immutable as $$
  select (p_day - (extract(day from p_day)::int - 1))
$$;

-- Moves the total of a locked balance by p_symbols (negative for a charge) and writes the ledger entry. p_freed is
-- released from the held symbols; p_spent_day is the day a charge counts for, null for movements that are no spending.
create or replace function money_post(
  p_user text, p_key text, p_kind text, p_symbols bigint, p_parts jsonb, p_details jsonb, p_now timestamptz,
  p_freed bigint default 0, p_spent_day date default null
) returns balances language plpgsql as $$
declare
  b balances;
begin
  update balances set
    total = total + p_symbols,
    held = held - p_freed,
    spent_today = case
      when p_spent_day is null then spent_today
      when spent_day = p_spent_day then spent_today - p_symbols
      else -p_symbols end,
    spent_day = coalesce(p_spent_day, spent_day),
    exhausted = p_symbols < 0 and (exhausted or total + p_symbols = held - p_freed)
  where user_id = p_user returning * into b;
  insert into ledger (user_id, key, kind, symbols, balance_after, parts, model_id, thread_id, message_id, input, output,
                      input_rate, output_rate, thought, thought_rate, cached, cached_rate, amount, currency, note,
                      api_key_id, created_at)
  values (p_user, p_key, p_kind, p_symbols, b.total, p_parts, p_details->>'modelId', p_details->>'threadId',
          p_details->>'messageId', (p_details->>'input')::bigint, (p_details->>'output')::bigint,
          (p_details->>'inputRate')::float8, (p_details->>'outputRate')::float8,
          (p_details->>'thought')::bigint, (p_details->>'thoughtRate')::float8,
          (p_details->>'cached')::bigint, (p_details->>'cachedRate')::float8,
          (p_details->>'amount')::bigint, p_details->>'currency', p_details->>'note', p_details->>'apiKeyId', p_now);
  if p_details ? 'apiKeyId' and p_spent_day is not null then
    update api_keys set
      spent_today = case when spent_day = p_spent_day then spent_today else 0 end - p_symbols,
      spent_month = case when money_month(spent_day) = money_month(p_spent_day) then spent_month else 0 end - p_symbols,
      spent_day = p_spent_day
    where id = p_details->>'apiKeyId';
  end if;
  return b;
end $$;

-- The parts of an entry that concerns one grant.
create or replace function money_part(p_grant text, p_symbols bigint) returns jsonb language sql immutable as $$
  select jsonb_build_array(jsonb_build_object('grant', p_grant, 'symbols', p_symbols))
$$;

-- Locks the balance and writes off expired grants. Symbols held by a running answer stay until it ends; holds use the
-- grants that expire first.
create or replace function money_lock(p_user text, p_now timestamptz) returns balances language plpgsql as $$
declare
  b balances;
  g record;
  cover bigint;
  lost bigint;
begin
  p_now := coalesce(p_now, clock_timestamp());
  select * into b from balances where user_id = p_user for update;
  if not found then
    insert into balances (user_id) values (p_user) on conflict do nothing;
    select * into b from balances where user_id = p_user for update;
  end if;
  cover := b.held;
  for g in
    select id, remaining from grants
    where user_id = p_user and is_left and expires_at <= p_now
    order by expires_at, created_at, id
  loop
    lost := greatest(0, g.remaining - cover);
    cover := greatest(0, cover - g.remaining);
    if lost > 0 then
      update grants set remaining = remaining - lost where id = g.id;
      b := money_post(p_user, 'expiry:' || g.id || ':' || g.remaining, 'expiry', -lost, money_part(g.id, -lost), '{}',
                      p_now);
    end if;
  end loop;
  return b;
end $$;

-- Takes symbols from the grants of a locked balance, first those that expire first, then the oldest. Returns the parts
-- of the ledger entry.
create or replace function money_take(p_user text, p_symbols bigint) returns jsonb language plpgsql as $$
declare
  g record;
  left_to_take bigint := p_symbols;
  part bigint;
  parts jsonb := '[]';
begin
  for g in
    select id, remaining from grants
    where user_id = p_user and is_left
    order by expires_at nulls last, created_at, id
  loop
    exit when left_to_take = 0;
    part := least(g.remaining, left_to_take);
    update grants set remaining = remaining - part where id = g.id;
    parts := parts || jsonb_build_object('grant', g.id, 'symbols', -part);
    left_to_take := left_to_take - part;
  end loop;
  if left_to_take > 0 then
    raise exception 'grants of % hold % symbols too few', p_user, left_to_take;
  end if;
  return parts;
end $$;

-- 'repeated' when the key was used before.
create or replace function money_grant(
  p_key text, p_id text, p_user text, p_kind text, p_symbols bigint, p_expires timestamptz, p_details jsonb,
  p_now timestamptz
) returns text language plpgsql as $$
begin
  p_now := coalesce(p_now, clock_timestamp());
  perform money_lock(p_user, p_now);
  if exists (select 1 from ledger where key = p_key) then
    return 'repeated';
  end if;
  insert into grants (id, user_id, kind, symbols, remaining, expires_at, order_id, note, created_at)
  values (p_id, p_user, p_kind, p_symbols, p_symbols, p_expires, p_details->>'orderId', p_details->>'note', p_now);
  perform money_post(p_user, p_key, p_kind, p_symbols, money_part(p_id, p_symbols), p_details, p_now);
  return 'done';
end $$;

-- Moves the end of what is left of a subscription's grants to p_until, never to an earlier time. Returns how many grants.
create or replace function money_prolong(
  p_user text, p_subscription text, p_until timestamptz, p_now timestamptz
) returns int language plpgsql as $$
declare
  prolonged int;
begin
  perform money_lock(p_user, coalesce(p_now, clock_timestamp()));
  update grants g set expires_at = p_until
  from orders o
  where o.id = g.order_id and o.subscription_id = p_subscription and g.user_id = p_user
    and g.is_left and g.expires_at < p_until;
  get diagnostics prolonged = row_count;
  return prolonged;
end $$;

-- Adds to the held symbols of a locked balance: 'held', 'short' of symbols, or over the user's daily 'cap'.
create or replace function money_reserve(p_balance balances, p_symbols bigint, p_day date) returns text language plpgsql as $$
declare
  today bigint := case when p_balance.spent_day = p_day then p_balance.spent_today else 0 end;
begin
  if p_balance.total - p_balance.held < p_symbols then
    return 'short';
  end if;
  if p_balance.daily_cap is not null and today + p_balance.held + p_symbols > p_balance.daily_cap then
    return 'cap';
  end if;
  update balances set held = held + p_symbols where user_id = p_balance.user_id;
  return 'held';
end $$;

-- Whether programs may work with an API key now: it has not ended, its owner is not banned, and keys are not switched off.
create or replace function is_working_key(p_api_key text) returns boolean language sql stable as $$
  select exists (
    select from api_keys k join users u on u.id = k.user_id
    where k.id = p_api_key and k.ended_at is null
      and not (u.banned and (u.ban_expires is null or u.ban_expires > clock_timestamp()))
  ) and not exists (select from switched_off where part = 'api-keys')
$$;

-- Whether an API key of a locked balance may hold p_symbols more: null, or why not. Counted under the lock of its
-- owner's balance, so parallel calls cannot pass a cap together.
create or replace function money_key_refusal(p_api_key text, p_symbols bigint, p_day date) returns text
language plpgsql as $$
declare
  k api_keys;
  key_held bigint;
  today bigint;
  this_month bigint;
begin
  if not is_working_key(p_api_key) then
    return 'key_off';
  end if;
  select * into k from api_keys where id = p_api_key;
  if k.cap_day is null and k.cap_month is null then
    return null;
  end if;
  select coalesce(sum(symbols), 0) into key_held from holds
  where user_id = k.user_id and state = 'active' and api_key_id = p_api_key;
  today := case when k.spent_day = p_day then k.spent_today else 0 end;
  this_month := case when money_month(k.spent_day) = money_month(p_day) then k.spent_month else 0 end;
  if today + key_held + p_symbols > k.cap_day then
    return 'key_day';
  end if;
  if this_month + key_held + p_symbols > k.cap_month then
    return 'key_month';
  end if;
  return null;
end $$;

-- 'busy' when p_most holds of the kind are active already: counted under the lock, so parallel callers cannot exceed it.
-- A hold belongs to the process p_instance and is released when that dies; the lease ends forgotten holds. The caps of
-- the key p_api_key count too.
create or replace function money_hold(
  p_key text, p_user text, p_kind text, p_symbols bigint, p_lease timestamptz, p_now timestamptz, p_day date, p_most int,
  p_instance text, p_api_key text
) returns text language plpgsql as $$
declare
  b balances;
  outcome text;
begin
  p_now := coalesce(p_now, clock_timestamp());
  p_day := coalesce(p_day, money_day(p_now));
  b := money_lock(p_user, p_now);
  if exists (select 1 from holds where key = p_key) then
    return 'repeated';
  end if;
  if p_most is not null
    and p_most <= (select count(*) from holds where user_id = p_user and kind = p_kind and state = 'active') then
    return 'busy';
  end if;
  if p_api_key is not null then
    outcome := money_key_refusal(p_api_key, p_symbols, p_day);
    if outcome is not null then
      return outcome;
    end if;
  end if;
  outcome := money_reserve(b, p_symbols, p_day);
  if outcome = 'held' then
    insert into holds (key, user_id, kind, symbols, instance, api_key_id, lease_until, created_at)
    values (p_key, p_user, p_kind, p_symbols, p_instance, p_api_key, coalesce(p_lease, p_now + interval '1 day'), p_now);
  end if;
  return outcome;
end $$;

-- Raises an active hold to p_symbols in total. Safe to repeat.
create or replace function money_extend(
  p_key text, p_symbols bigint, p_lease timestamptz, p_now timestamptz, p_day date
) returns text language plpgsql as $$
declare
  b balances;
  h holds;
  outcome text := 'held';
begin
  p_now := coalesce(p_now, clock_timestamp());
  p_day := coalesce(p_day, money_day(p_now));
  select * into h from holds where key = p_key;
  if not found then
    return 'gone';
  end if;
  b := money_lock(h.user_id, p_now);
  select * into h from holds where key = p_key;
  if h.state <> 'active' then
    return 'gone';
  end if;
  if p_symbols > h.symbols then
    if h.api_key_id is not null then
      outcome := coalesce(money_key_refusal(h.api_key_id, p_symbols - h.symbols, p_day), outcome);
    end if;
    if outcome = 'held' then
      outcome := money_reserve(b, p_symbols - h.symbols, p_day);
    end if;
  end if;
  if outcome = 'held' then
    update holds set symbols = greatest(symbols, p_symbols), lease_until = coalesce(p_lease, lease_until) where key = p_key;
  end if;
  return outcome;
end $$;

-- Ends the active hold h of a locked balance: p_symbols are charged, the rest is free again. Zero symbols release it.
create or replace function money_end_hold(
  h holds, p_symbols bigint, p_details jsonb, p_now timestamptz, p_day date
) returns void language plpgsql as $$
begin
  if p_symbols < 0 or p_symbols > h.symbols then
    raise exception 'a charge of % does not fit a hold of %', p_symbols, h.symbols;
  end if;
  update holds set state = case when p_symbols = 0 then 'released' else 'settled' end where key = h.key;
  if p_symbols = 0 then
    update balances set held = held - h.symbols where user_id = h.user_id;
    return;
  end if;
  if h.api_key_id is not null then
    p_details := p_details || jsonb_build_object('apiKeyId', h.api_key_id);
  end if;
  perform money_post(h.user_id, 'hold:' || h.key, h.kind, -p_symbols, money_take(h.user_id, p_symbols), p_details, p_now,
                     h.symbols, p_day);
end $$;

-- Ends a hold: p_symbols are charged, the rest is free again. Zero symbols release it.
create or replace function money_settle(
  p_key text, p_symbols bigint, p_details jsonb, p_now timestamptz, p_day date
) returns text language plpgsql as $$
declare
  h holds;
begin
  p_now := coalesce(p_now, clock_timestamp());
  select * into h from holds where key = p_key;
  if not found then
    return 'gone';
  end if;
  perform money_lock(h.user_id, p_now);
  select * into h from holds where key = p_key;
  if h.state <> 'active' then
    return case h.state when 'settled' then 'repeated' else 'gone' end;
  end if;
  perform money_end_hold(h, p_symbols, p_details, p_now, coalesce(p_day, money_day(p_now)));
  return 'done';
end $$;

-- Ends a hold with a charge cut to its symbols. Returns the charge, or null if the hold had ended before.
create or replace function money_settle_at_most(p_key text, p_symbols bigint, p_details jsonb) returns bigint
language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
  h holds;
  charge bigint;
begin
  select * into h from holds where key = p_key;
  if not found then
    return null;
  end if;
  perform money_lock(h.user_id, v_now);
  select * into h from holds where key = p_key;
  if h.state <> 'active' then
    return null;
  end if;
  charge := greatest(0, least(p_symbols, h.symbols));
  perform money_end_hold(h, charge, p_details, v_now, money_day(v_now));
  return charge;
end $$;

-- Ends the hold of an answer that the user stopped. The first p_free stops of a day are free; they are counted in the
-- locked balance, so parallel stops cannot share one. charged is null if the hold had ended before.
create or replace function money_settle_stop(
  p_key text, p_symbols bigint, p_details jsonb, p_free int, p_now timestamptz, p_day date
) returns table (charged bigint, free_stop int) language plpgsql as $$
declare
  b balances;
  h holds;
  used int;
begin
  p_now := coalesce(p_now, clock_timestamp());
  p_day := coalesce(p_day, money_day(p_now));
  select * into h from holds where key = p_key;
  if found then
    b := money_lock(h.user_id, p_now);
    select * into h from holds where key = p_key;
  end if;
  if h.state is distinct from 'active' then
    return query select null::bigint, null::int;
    return;
  end if;
  charged := greatest(0, least(p_symbols, h.symbols));
  used := case when b.free_stops_day = p_day then b.free_stops else 0 end;
  if charged > 0 and used < p_free then
    charged := 0;
    free_stop := used + 1;
    update balances set free_stops_day = p_day, free_stops = used + 1 where user_id = h.user_id;
  end if;
  perform money_end_hold(h, charged, p_details, p_now, p_day);
  return next;
end $$;

-- Spends without a hold, at most what is not held. Returns the charge; a repeated key returns the first charge.
create or replace function money_spend(
  p_key text, p_user text, p_kind text, p_symbols bigint, p_details jsonb, p_now timestamptz, p_day date
) returns bigint language plpgsql as $$
declare
  b balances;
  known bigint;
  taken bigint;
begin
  p_now := coalesce(p_now, clock_timestamp());
  p_day := coalesce(p_day, money_day(p_now));
  b := money_lock(p_user, p_now);
  select -symbols into known from ledger where key = p_key;
  if found then
    return known;
  end if;
  taken := least(p_symbols, b.total - b.held);
  if taken > 0 then
    perform money_post(p_user, p_key, p_kind, -taken, money_take(p_user, taken), p_details, p_now, 0, p_day);
  end if;
  return taken;
end $$;

-- Takes back what is left of one grant (a refund, a chargeback). Symbols of it held by a running answer are written off
-- when that ends, because the grant expires now.
create or replace function money_take_back(
  p_key text, p_grant text, p_kind text, p_details jsonb, p_now timestamptz
) returns bigint language plpgsql as $$
declare
  b balances;
  g grants;
  known bigint;
  taken bigint;
begin
  p_now := coalesce(p_now, clock_timestamp());
  select * into g from grants where id = p_grant;
  if not found then
    raise exception 'no grant %', p_grant;
  end if;
  b := money_lock(g.user_id, p_now);
  select -symbols into known from ledger where key = p_key;
  if found then
    return known;
  end if;
  select * into g from grants where id = p_grant;
  taken := g.remaining - greatest(0, b.held - (b.total - g.remaining));
  update grants set remaining = remaining - taken, expires_at = p_now where id = p_grant;
  if taken = 0 then
    return 0;
  end if;
  perform money_post(g.user_id, p_key, p_kind, -taken, money_part(p_grant, -taken), p_details, p_now);
  return taken;
end $$;

-- Takes back what is not held, at most p_symbols, from any grants. Not a spend: the daily cap is not affected.
create or replace function money_withdraw(
  p_key text, p_user text, p_symbols bigint, p_note text, p_now timestamptz
) returns bigint language plpgsql as $$
declare
  b balances;
  known bigint;
  taken bigint;
begin
  p_now := coalesce(p_now, clock_timestamp());
  b := money_lock(p_user, p_now);
  select -symbols into known from ledger where key = p_key;
  if found then
    return known;
  end if;
  taken := least(p_symbols, b.total - b.held);
  if taken > 0 then
    perform money_post(p_user, p_key, 'take_back', -taken, money_take(p_user, taken), jsonb_build_object('note', p_note),
                       p_now);
  end if;
  return taken;
end $$;

-- Records the end of a balance once, whatever caused it.
create or replace function record_balance_ended() returns trigger language plpgsql as $$
begin
  insert into events (event, user_id) values ('Подписка закончилась', new.user_id);
  return null;
end $$;

create or replace function ledger_is_append_only() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and not exists (select 1 from users where id = old.user_id) then
    return old; -- the account itself is being deleted
  end if;
  raise exception 'the ledger is append-only';
end $$;
