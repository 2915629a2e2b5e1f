-- The figures of the admin statistics. For each table a function `stat_of_…` turns a row into facts (day, metric, key,
-- detail, value, who). Triggers (triggers.sql) write the difference of each change into stat_facts; stat_fold adds the
-- facts to the sums, and stat_rebuild computes the sums from the current rows. Deleted rows stay counted.
--
-- `who` is null for figures of the whole product, which go to stat_days. Facts of one user (`who` is a hash of the id)
-- have no key and go to stat_active_days (messages, charged) or stat_money_days (cost, earned).
--
--   metric          key            detail     value                                          of one user too
--   fresh           -              -          new users
--   converted       -              -          users who ever paid, on their first day
--   active          -              -          distinct users with a message or a charge
--   messages        -              -          questions                                      yes
--   answers         model          status     answers that have ended
--   failed          model          error      failed answers: sentence of the model or code
--   input, output   model          -          symbols of questions and answers
--   first           model          step       answers by time to the first token, see stat_step
--   total           model          step       complete answers by time to the end
--   cost            model          currency   what the provider charged us                   yes
--   charged         model          -          symbols spent                                  yes
--   earned          model          currency   money that was paid for the spent symbols      yes
--   ratings         model          verdict    ratings of answers: good, or the reason of a bad one
--   symbols         ledger kind    -          symbols moved, signed
--   entries         ledger kind    -          ledger entries
--   entry           id             -          a note: the entry's facts are not counted yet
--   paid            order kind     -          paid orders
--   unpaid          order kind     status     orders that failed or expired
--   revenue         order kind     currency   money of paid orders
--   sold            order kind     -          symbols of paid orders
--   refunds         reversal kind  currency   money that went back
--   refund_count    reversal kind  -          refunds and chargebacks
--   promo_uses      -              -          uses of promo codes
--   promo_orders    -              -          paid orders with a promo code
--   promo_revenue   -              currency   money of those orders
--   promo_discount  -              currency   what the codes took off
--   subs_in         -              -          subscriptions that were ever paid, on the day they were created
--   subs_out        -              -          the same, on the day their last paid period ends
--   mrr_in, mrr_out -              currency   their price for 30 days, on the same days
--   canceled        -              -          cancellations of paid subscriptions

-- The day in UTC+3, as in server/features/billing/days.ts.
create or replace function stat_day(p_at timestamptz) returns date language sql immutable as $$
  select ((p_at at time zone 'UTC') + interval '3 hours')::date
$$;

create or replace function stat_who(p_user text) returns bigint language sql immutable as $$
  select hashtextextended(p_user, 0)
$$;

-- A histogram with steps of a fifth: sums of steps give the percentiles of any period to within a tenth.
create or replace function stat_step(p_ms int) returns text language sql immutable as $$
  select floor(ln(greatest(p_ms, 1)::float8) / ln(1.2::float8))::int::text
$$;

-- The first sentence of a model's error, otherwise the error code.
create or replace function stat_failure(p_code text, p_message text) returns text language sql immutable as $$
  select case when p_code = 'model_failed' then split_part(coalesce(p_message, ''), '.', 1) else coalesce(p_code, '') end
$$;

create or replace function stat_of_user(u users)
returns table (day date, metric text, key text, detail text, value numeric, who bigint) language sql stable as $$
  select stat_day(u.created_at), 'fresh', '', '', 1::numeric, null::bigint
$$;

create or replace function stat_of_message(m messages)
returns table (day date, metric text, key text, detail text, value numeric, who bigint) language sql stable as $$
  select stat_day(m.created_at), f.metric, f.key, f.detail, f.value, f.who
  from (values
    ('user', 'messages', '', '', 1::numeric, null::bigint),
    ('user', 'messages', '', '', 1, stat_who(m.user_id)),
    ('assistant', 'answers', coalesce(m.model_id, ''), m.status, 1, null),
    ('assistant', 'failed', coalesce(m.model_id, ''), stat_failure(m.error_code, m.error_message),
      case when m.status = 'failed' then 1 end, null),
    ('assistant', 'input', coalesce(m.model_id, ''), '', m.input, null),
    ('assistant', 'output', coalesce(m.model_id, ''), '', m.output, null),
    ('assistant', 'cost', coalesce(m.model_id, ''), coalesce(m.cost_currency, ''), m.cost::numeric, null),
    ('assistant', 'cost', '', coalesce(m.cost_currency, ''), m.cost::numeric, stat_who(m.user_id)),
    ('assistant', 'first', coalesce(m.model_id, ''), stat_step(m.first_token_ms),
      case when m.first_token_ms is not null then 1 end, null),
    ('assistant', 'total', coalesce(m.model_id, ''), stat_step(m.total_ms),
      case when m.total_ms is not null and m.status = 'complete' then 1 end, null)
  ) as f (role, metric, key, detail, value, who)
  where f.role = m.role and m.status <> 'streaming' and not m.copied and f.value <> 0
$$;

-- The cost of an image of the gallery or of a recording; the cost of an image in a chat is part of its message.
create or replace function stat_of_cost(p_at timestamptz, p_user text, p_model text, p_cost float8, p_currency text)
returns table (day date, metric text, key text, detail text, value numeric, who bigint) language sql stable as $$
  select stat_day(p_at), 'cost', f.key, coalesce(p_currency, ''), p_cost::numeric, f.who
  from (values (coalesce(p_model, ''), null::bigint), ('', stat_who(p_user))) as f (key, who)
  where p_cost <> 0
$$;

create or replace function stat_of_image(i images)
returns table (day date, metric text, key text, detail text, value numeric, who bigint) language sql stable as $$
  select * from stat_of_cost(i.created_at, i.user_id, i.model_id, case when i.message_id is null then i.cost end, i.cost_currency)
$$;

create or replace function stat_of_recording(t transcriptions)
returns table (day date, metric text, key text, detail text, value numeric, who bigint) language sql stable as $$
  select * from stat_of_cost(t.created_at, t.user_id, t.model_id, t.cost, t.cost_currency)
$$;

create or replace function stat_of_side_cost(c side_costs)
returns table (day date, metric text, key text, detail text, value numeric, who bigint) language sql stable as $$
  select stat_day(c.created_at), 'cost', f.key, c.currency, c.cost::numeric, f.who
  from (values (c.model_id, null::bigint), ('', c.who)) as f (key, who)
  where c.cost <> 0
$$;

-- The money that was paid for spent symbols, by the grants they came from; symbols of a gift earned nothing.
create or replace function stat_earned(p_parts jsonb)
returns table (currency text, amount numeric) language sql stable as $$
  select o.currency, sum(-(p.part->>'symbols')::numeric * o.amount / o.symbols)
  from jsonb_array_elements(p_parts) as p (part)
  join grants g on g.id = p.part->>'grant'
  join orders o on o.id = g.order_id
  group by o.currency
$$;

create or replace function stat_is_spend(p_kind text) returns boolean language sql immutable as $$
  select p_kind in ('answer', 'translate', 'summary', 'image', 'transcription', 'balance')
$$;

create or replace function stat_of_entry(e ledger)
returns table (day date, metric text, key text, detail text, value numeric, who bigint) language sql stable as $$
  select stat_day(e.created_at), f.metric, f.key, f.detail, f.value, f.who
  from (values ('symbols', false), ('entries', false), ('charged', false), ('charged', true), ('earned', false), ('earned', true))
    as k (metric, personal)
  left join lateral stat_earned(case when k.metric = 'earned' and stat_is_spend(e.kind) then e.parts else '[]' end) x on true
  cross join lateral (select
    k.metric,
    case when k.metric in ('symbols', 'entries') then e.kind when k.personal then '' else coalesce(e.model_id, '') end as key,
    coalesce(x.currency, '') as detail,
    case k.metric when 'symbols' then e.symbols when 'entries' then 1 when 'earned' then x.amount
      else case when stat_is_spend(e.kind) then -e.symbols end end as value,
    case when k.personal then stat_who(e.user_id) end as who
  ) f
  where f.value <> 0
$$;

-- Paid orders count on the day of payment, others on the day they were created.
create or replace function stat_of_order(o orders)
returns table (day date, metric text, key text, detail text, value numeric, who bigint) language sql stable as $$
  select stat_day(coalesce(o.paid_at, o.created_at)), f.metric, f.key, f.detail, f.value, null::bigint
  from (values
    (true, 'paid', o.kind, '', 1::numeric),
    (true, 'revenue', o.kind, o.currency, o.amount),
    (true, 'sold', o.kind, '', o.symbols),
    (true, 'promo_orders', '', '', case when o.promo_id is not null then 1 end),
    (true, 'promo_revenue', '', o.currency, case when o.promo_id is not null then o.amount end),
    (true, 'promo_discount', '', o.currency, case when o.promo_id is not null then
      (select v.price from plan_versions v where v.id = o.plan_version_id) - o.amount end),
    (false, 'unpaid', o.kind, o.status, case when o.status in ('failed', 'expired') then 1 end)
  ) as f (paid, metric, key, detail, value)
  where f.paid = (o.paid_at is not null) and f.value <> 0
$$;

create or replace function stat_of_reversal(r reversals)
returns table (day date, metric text, key text, detail text, value numeric, who bigint) language sql stable as $$
  select stat_day(r.created_at), f.metric, r.kind, f.detail, f.value, null::bigint
  from (values ('refunds', r.currency, r.amount::numeric), ('refund_count', '', 1)) as f (metric, detail, value)
$$;

create or replace function stat_of_use(p promo_uses)
returns table (day date, metric text, key text, detail text, value numeric, who bigint) language sql stable as $$
  select stat_day(p.created_at), 'promo_uses', '', '', 1::numeric, null::bigint
$$;

create or replace function stat_subscription_end(s subscriptions) returns timestamptz language sql immutable as $$
  select coalesce(s.revoked_at, case when s.replaced_by is not null then least(s.cancel_requested_at, s.active_to) end,
                  s.active_to)
$$;

-- A subscription counts from the day it was created, if it was ever paid, to the day its last paid period ends, which may
-- be in the future. One that was replaced by another plan counts until then, and is not a cancellation.
create or replace function stat_of_subscription(s subscriptions)
returns table (day date, metric text, key text, detail text, value numeric, who bigint) language sql stable as $$
  select stat_day(f.at), f.metric, '', f.detail, f.value, null::bigint
  from plan_versions v
  cross join lateral (values
    (s.created_at, 'subs_in', '', 1::numeric),
    (s.created_at, 'mrr_in', v.currency, v.price * 30.0 / v.interval_days),
    (case when s.replaced_by is null then s.cancel_requested_at end, 'canceled', '', 1),
    (stat_subscription_end(s), 'subs_out', '', 1),
    (stat_subscription_end(s), 'mrr_out', v.currency, v.price * 30.0 / v.interval_days)
  ) as f (at, metric, detail, value)
  where v.id = s.plan_version_id and s.active_to is not null and f.at is not null
    and (f.metric not in ('subs_out', 'mrr_out') or s.cancel_requested_at is not null
         or s.state in ('canceled', 'failed', 'error', 'expired'))
$$;

create or replace function stat_of_rating(r ratings)
returns table (day date, metric text, key text, detail text, value numeric, who bigint) language sql stable as $$
  select stat_day(r.created_at), 'ratings', r.model_id,
    case when r.verdict = 'good' then 'good' else coalesce(r.reason, 'other') end, 1::numeric, null::bigint
$$;

create or replace function stat_note_user() returns trigger language plpgsql as $$
begin
  insert into stat_facts select * from stat_of_user(new);
  return null;
end $$;

create or replace function stat_note_message() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into stat_facts select day, metric, key, detail, -value, who from stat_of_message(old);
  end if;
  insert into stat_facts select * from stat_of_message(new);
  return null;
end $$;

create or replace function stat_note_image() returns trigger language plpgsql as $$
begin
  insert into stat_facts select day, metric, key, detail, -value, who from stat_of_image(old);
  insert into stat_facts select * from stat_of_image(new);
  return null;
end $$;

create or replace function stat_note_recording() returns trigger language plpgsql as $$
begin
  insert into stat_facts select day, metric, key, detail, -value, who from stat_of_recording(old);
  insert into stat_facts select * from stat_of_recording(new);
  return null;
end $$;

create or replace function stat_note_side_cost() returns trigger language plpgsql as $$
begin
  insert into stat_facts select * from stat_of_side_cost(new);
  return null;
end $$;

-- A rating that was taken back is subtracted; one that was deleted with its answer stays counted.
create or replace function stat_note_rating() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' or tg_op = 'DELETE' and exists (select 1 from messages where id = old.message_id)
    and exists (select 1 from users where id = old.user_id) then
    insert into stat_facts select day, metric, key, detail, -value, who from stat_of_rating(old);
  end if;
  if tg_op <> 'DELETE' then
    insert into stat_facts select * from stat_of_rating(new);
  end if;
  return null;
end $$;

-- Notes only which entry it was: an entry never changes, so its facts can wait for stat_add, off the path of a charge.
create or replace function stat_note_entry() returns trigger language plpgsql as $$
begin
  insert into stat_facts (day, metric, key, detail, value)
  values (stat_day(new.created_at), 'entry', new.id::text, '', 0);
  return null;
end $$;

-- Puts the facts in the place of such notes while the entries of a user still exist.
create or replace function stat_count_entries(p_user text) returns void language sql as $$
  with notes as (
    delete from stat_facts n using ledger e
    where n.metric = 'entry' and e.user_id = p_user and e.id = n.key::bigint
    returning e.id
  )
  insert into stat_facts
  select f.* from notes n join ledger e on e.id = n.id cross join lateral stat_of_entry(e) f
$$;

-- A first payment counts as a conversion on the day the user registered.
create or replace function stat_note_order() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into stat_facts select day, metric, key, detail, -value, who from stat_of_order(old);
  end if;
  insert into stat_facts select * from stat_of_order(new);
  if new.paid_at is not null and (tg_op = 'INSERT' or old.paid_at is null) then
    -- Two first payments at the same moment do not see each other: the lock lets the second see the first.
    perform pg_advisory_xact_lock(hashtextextended('converted:' || coalesce(new.user_id, ''), 0));
    insert into stat_facts
    select stat_day(u.created_at), 'converted', '', '', 1, null from users u
    where u.id = new.user_id
      and not exists (select 1 from orders o where o.user_id = u.id and o.paid_at is not null and o.id <> new.id);
  end if;
  return null;
end $$;

create or replace function stat_note_reversal() returns trigger language plpgsql as $$
begin
  insert into stat_facts select * from stat_of_reversal(new);
  return null;
end $$;

-- A deleted use was released by an unpaid order and is subtracted, unless its user's account is being deleted.
create or replace function stat_note_use() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into stat_facts select * from stat_of_use(new);
  elsif exists (select 1 from users where id = old.user_id) then
    insert into stat_facts select day, metric, key, detail, -value, who from stat_of_use(old);
  end if;
  return null;
end $$;

create or replace function stat_note_subscription() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    insert into stat_facts select day, metric, key, detail, -value, who from stat_of_subscription(old);
  end if;
  insert into stat_facts select * from stat_of_subscription(new);
  return null;
end $$;

-- Adds facts to the sums. p_notes is the query that returns them; a note `entry` stands for the facts of that entry of
-- the ledger. A user's first row of a day in stat_active_days counts as one active user.
create or replace function stat_add(p_notes text) returns void language plpgsql as $$
begin
  execute format($sql$
    with notes as (%s), facts as (
      select * from notes where metric <> 'entry'
      union all
      select f.* from (select key::bigint as id from notes where metric = 'entry') n
      join ledger e on e.id = n.id
      cross join lateral stat_of_entry(e) f
    ), product_days as (
      insert into stat_days as d (metric, day, key, detail, value)
      select metric, day, key, detail, sum(value) from facts where who is null group by metric, day, key, detail
      on conflict (metric, day, key, detail) do update set value = d.value + excluded.value
    ), user_days as (
      insert into stat_active_days as d (day, who, messages, charged)
      select day, who, coalesce(sum(value) filter (where metric = 'messages'), 0),
        coalesce(sum(value) filter (where metric = 'charged'), 0)
      from facts where who is not null and metric in ('messages', 'charged') group by day, who
      on conflict (day, who) do update set messages = d.messages + excluded.messages, charged = d.charged + excluded.charged
      returning day, xmax = 0 as is_new
    ), newly_active as (
      insert into stat_days as d (metric, day, key, detail, value)
      select 'active', day, '', '', count(*) from user_days where is_new group by day
      on conflict (metric, day, key, detail) do update set value = d.value + excluded.value
    )
    insert into stat_money_days as d (day, who, currency, earned, cost)
    select day, who, detail, coalesce(sum(value) filter (where metric = 'earned'), 0),
      coalesce(sum(value) filter (where metric = 'cost'), 0)
    from facts where who is not null and metric in ('earned', 'cost') group by day, who, detail
    on conflict (day, who, currency) do update set earned = d.earned + excluded.earned, cost = d.cost + excluded.cost
  $sql$, p_notes);
end $$;

-- Moves new facts into the sums, each once; false when another process is doing it.
create or replace function stat_fold() returns boolean language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(7205433) then
    return false;
  end if;
  perform stat_add('delete from stat_facts returning *');
  return true;
end $$;

-- Computes all sums again from the current rows; rows deleted before are no longer counted. Blocks writers meanwhile.
create or replace function stat_rebuild() returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7205433);
  lock table users, messages, images, transcriptions, ledger, orders, reversals, promo_uses, subscriptions, ratings,
    side_costs in share mode;
  truncate stat_facts, stat_days, stat_active_days, stat_money_days;
  perform stat_add('select f.* from users r, stat_of_user(r) f');
  perform stat_add('select f.* from messages r, stat_of_message(r) f');
  perform stat_add('select f.* from images r, stat_of_image(r) f');
  perform stat_add('select f.* from transcriptions r, stat_of_recording(r) f');
  perform stat_add('select f.* from side_costs r, stat_of_side_cost(r) f');
  perform stat_add('select f.* from ledger r, stat_of_entry(r) f');
  perform stat_add('select f.* from orders r, stat_of_order(r) f');
  perform stat_add('select f.* from reversals r, stat_of_reversal(r) f');
  perform stat_add('select f.* from promo_uses r, stat_of_use(r) f');
  perform stat_add('select f.* from subscriptions r, stat_of_subscription(r) f');
  perform stat_add('select f.* from ratings r, stat_of_rating(r) f');
  insert into stat_days (metric, day, key, detail, value)
  select 'converted', stat_day(u.created_at), '', '', count(*) from users u
  where exists (select 1 from orders o where o.user_id = u.id and o.paid_at is not null)
  group by 2;
end $$;
