-- The only writers of balances, grants, holds and the ledger. They are functions of the database because a hold and a
-- settlement must each be one journey to it and yet see what the callers before them left: inside a function every
-- statement has a fresh snapshot, and the user's balance is locked by the first of them.
-- Signatures that instances of the previous release call stay for one release: see previous.sql.
-- Time is the database's: p_now and p_day are null but for tests.

-- The day in Minsk and Moscow, three hours ahead of UTC all year.
create or replace function money_day(p_now timestamptz) returns date language sql immutable as $$
  select ((p_now at time zone 'utc') + interval '3 hours')::date
$$;

-- Locks the balance and lets go what has run out. Symbols that a running answer was promised stay until it ends:
-- holds lean on what expires first.
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
    where user_id = p_user and remaining > 0 and expires_at <= p_now
    order by expires_at, created_at, id
  loop
    lost := greatest(0, g.remaining - cover);
    cover := greatest(0, cover - g.remaining);
    if lost > 0 then
      update grants set remaining = remaining - lost where id = g.id;
      update balances set total = total - lost, exhausted = exhausted or total - lost - held = 0
      where user_id = p_user returning * into b;
      insert into ledger (user_id, key, kind, symbols, balance_after, parts, created_at)
      values (p_user, 'expiry:' || g.id || ':' || g.remaining, 'expiry', -lost, b.total,
              jsonb_build_array(jsonb_build_object('grant', g.id, 'symbols', -lost)), p_now);
    end if;
  end loop;
  return b;
end $$;

-- Takes symbols out of the grants of a locked balance: what expires first, then what is oldest.
create or replace function money_take(p_user text, p_symbols bigint) returns jsonb language plpgsql as $$
declare
  g record;
  left_to_take bigint := p_symbols;
  part bigint;
  parts jsonb := '[]';
begin
  for g in
    select id, remaining from grants
    where user_id = p_user and remaining > 0
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

-- Writes the entry of a spend that has left the grants, and moves the locked balance with it.
create or replace function money_post_spend(
  p_balance balances, p_key text, p_kind text, p_symbols bigint, p_freed bigint, p_parts jsonb, p_details jsonb,
  p_now timestamptz, p_day date
) returns balances language plpgsql as $$
declare
  b balances;
begin
  update balances set
    total = total - p_symbols,
    held = held - p_freed,
    spent_today = case when spent_day = p_day then spent_today else 0 end + p_symbols,
    spent_day = p_day,
    exhausted = exhausted or (total - p_symbols) - (held - p_freed) = 0
  where user_id = p_balance.user_id returning * into b;
  insert into ledger (user_id, key, kind, symbols, balance_after, parts, model_id, thread_id, message_id, input, output,
                      input_rate, output_rate, note, created_at)
  values (b.user_id, p_key, p_kind, -p_symbols, b.total, p_parts, p_details->>'modelId', p_details->>'threadId',
          p_details->>'messageId', (p_details->>'input')::bigint, (p_details->>'output')::bigint,
          (p_details->>'inputRate')::float8, (p_details->>'outputRate')::float8, p_details->>'note', p_now);
  return b;
end $$;

create or replace function money_grant(
  p_key text, p_id text, p_user text, p_kind text, p_symbols bigint, p_expires timestamptz, p_details jsonb,
  p_now timestamptz
) returns text language plpgsql as $$
declare
  b balances;
begin
  p_now := coalesce(p_now, clock_timestamp());
  b := money_lock(p_user, p_now);
  if exists (select 1 from ledger where key = p_key) then
    return 'repeated';
  end if;
  insert into grants (id, user_id, kind, symbols, remaining, expires_at, order_id, note, created_at)
  values (p_id, p_user, p_kind, p_symbols, p_symbols, p_expires, p_details->>'orderId', p_details->>'note', p_now);
  update balances set total = total + p_symbols, exhausted = false where user_id = p_user returning * into b;
  insert into ledger (user_id, key, kind, symbols, balance_after, parts, amount, currency, note, created_at)
  values (p_user, p_key, p_kind, p_symbols, b.total,
          jsonb_build_array(jsonb_build_object('grant', p_id, 'symbols', p_symbols)),
          (p_details->>'amount')::bigint, p_details->>'currency', p_details->>'note', p_now);
  return 'done';
end $$;

-- Promises symbols to a locked balance's caller: 'held', 'short' of symbols, or over the day's own 'cap'.
create or replace function money_promise(p_balance balances, p_symbols bigint, p_day date) returns text language plpgsql as $$
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

-- 'busy' when p_most holds of the kind are running already: counted under the lock, so parallel callers cannot slip by.
-- A hold belongs to the process p_instance and ends when that is dead; the lease is for what was forgotten.
create or replace function money_hold(
  p_key text, p_user text, p_kind text, p_symbols bigint, p_lease timestamptz, p_now timestamptz, p_day date, p_most int,
  p_instance text
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
  if p_most <= (select count(*) from holds where user_id = p_user and kind = p_kind and state = 'active') then
    return 'busy';
  end if;
  outcome := money_promise(b, p_symbols, p_day);
  if outcome = 'held' then
    insert into holds (key, user_id, kind, symbols, instance, lease_until, created_at)
    values (p_key, p_user, p_kind, p_symbols, p_instance, coalesce(p_lease, p_now + interval '1 day'), p_now);
  end if;
  return outcome;
end $$;

-- Raises a running hold to p_symbols in all; told the same twice, it does it once.
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
    outcome := money_promise(b, p_symbols - h.symbols, p_day);
  end if;
  if outcome = 'held' then
    update holds set symbols = greatest(symbols, p_symbols), lease_until = coalesce(p_lease, lease_until) where key = p_key;
  end if;
  return outcome;
end $$;

-- Ends a hold: what was used is charged, the rest is free again. Nothing used is a release.
create or replace function money_settle(
  p_key text, p_symbols bigint, p_details jsonb, p_now timestamptz, p_day date
) returns text language plpgsql as $$
declare
  b balances;
  h holds;
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
    return case h.state when 'settled' then 'repeated' else 'gone' end;
  end if;
  if p_symbols < 0 or p_symbols > h.symbols then
    raise exception 'a charge of % does not fit a hold of %', p_symbols, h.symbols;
  end if;
  update holds set state = case when p_symbols = 0 then 'released' else 'settled' end where key = p_key;
  if p_symbols = 0 then
    update balances set held = held - h.symbols where user_id = h.user_id;
    return 'done';
  end if;
  perform money_post_spend(b, 'hold:' || p_key, h.kind, p_symbols, h.symbols, money_take(h.user_id, p_symbols),
                           p_details, p_now, p_day);
  return 'done';
end $$;

-- Ends a hold with a charge that is cut to what is held; how much was charged, or null if it had ended before.
create or replace function money_settle_at_most(p_key text, p_symbols bigint, p_details jsonb) returns bigint
language plpgsql as $$
declare
  h holds;
  charge bigint;
begin
  select * into h from holds where key = p_key;
  if not found then
    return null;
  end if;
  perform money_lock(h.user_id, null);
  select * into h from holds where key = p_key;
  charge := greatest(0, least(p_symbols, h.symbols));
  if money_settle(p_key, charge, p_details, null, null) <> 'done' then
    return null;
  end if;
  return charge;
end $$;

-- Ends a hold whose owner stopped what the provider had been asked for. The first p_free such stops of a day are free:
-- they are counted in the locked balance, so parallel stops cannot share one. A null charge: it had ended before.
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
  perform money_settle(p_key, charged, p_details, p_now, p_day);
  return next;
end $$;

-- Spends at once what is free, down to zero at most; returns how much that was.
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
    perform money_post_spend(b, p_key, p_kind, taken, 0, money_take(p_user, taken), p_details, p_now, p_day);
  end if;
  return taken;
end $$;

-- Takes back what is left of one grant (a refund, a chargeback). What a running answer was promised of it follows
-- when that ends: from now on the grant counts as run out.
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
  update balances set total = total - taken, exhausted = exhausted or total - taken - held = 0
  where user_id = g.user_id returning * into b;
  insert into ledger (user_id, key, kind, symbols, balance_after, parts, amount, currency, note, created_at)
  values (g.user_id, p_key, p_kind, -taken, b.total,
          jsonb_build_array(jsonb_build_object('grant', p_grant, 'symbols', -taken)),
          (p_details->>'amount')::bigint, p_details->>'currency', p_details->>'note', p_now);
  return taken;
end $$;

-- Takes back what is free, at most p_symbols, whichever grants it is in. Not a spend: the day's own limit is untouched.
create or replace function money_withdraw(
  p_key text, p_user text, p_symbols bigint, p_note text, p_now timestamptz
) returns bigint language plpgsql as $$
declare
  b balances;
  known bigint;
  taken bigint;
  parts jsonb;
begin
  p_now := coalesce(p_now, clock_timestamp());
  b := money_lock(p_user, p_now);
  select -symbols into known from ledger where key = p_key;
  if found then
    return known;
  end if;
  taken := least(p_symbols, b.total - b.held);
  if taken > 0 then
    parts := money_take(p_user, taken);
    update balances set total = total - taken, exhausted = exhausted or total - taken - held = 0
    where user_id = p_user returning * into b;
    insert into ledger (user_id, key, kind, symbols, balance_after, parts, note, created_at)
    values (p_user, p_key, 'take_back', -taken, b.total, parts, p_note, p_now);
  end if;
  return taken;
end $$;

-- The end of a balance is told once, whichever act brought it about.
create or replace function tell_balance_ended() returns trigger language plpgsql as $$
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
