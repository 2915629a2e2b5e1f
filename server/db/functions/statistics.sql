-- The figures of the admin statistics. stat_sum_day writes the sums of one day; a day that is over is summed once, so its
-- figures stay when rows are deleted later (server/features/statistics/sums.ts). Payments and subscriptions are not
-- summed: their rows are never deleted and may change days that are over, so stat_payments reads them each time.
--
--   metric                 key            detail     value
--   new_users              -              -          new users
--   converted              day of joining -          users who paid for the first time on this day
--   active                 -              -          distinct users who asked something or were charged
--   messages               -              -          questions, on the day their answer ended
--   answers                model          -          answers that have ended
--   failed                 model          error      failed answers: sentence of the model or code
--   first_token_ms         model          step       answers by time to the first token, see stat_step
--   total_ms               model          step       complete answers by time to the end
--   cost                   model          currency   what the provider charged us
--   input, output          model          -          charged symbols of questions and answers
--   charged                model          -          symbols spent
--   earned                 model          currency   money that was paid for the spent symbols
--   symbols                ledger kind    -          symbols moved, signed
--   ratings                model          verdict    ratings of answers: good, or the reason of a bad one
--   promo_uses             -              -          uses of promo codes
--
-- Of stat_payments:
--   paid                   order kind     -          paid orders
--   unpaid                 order kind     status     orders that failed or expired
--   revenue                order kind     currency   money of paid orders
--   refunds                reversal kind  currency   money that went back
--   promo_orders           -              -          paid orders with a promo code
--   promo_revenue          -              currency   money of those orders
--   promo_discount         -              currency   what the codes took off
--   subscriptions_started  -              -          subscriptions that were ever paid, on the day they were created
--   subscriptions_ended    -              -          the same, on the day their last paid period ends
--   mrr_started, mrr_ended -              currency   their price for 30 days, on the same days
--   canceled               -              -          cancellations of paid subscriptions

create or replace function stat_day_start(p_day date) returns timestamptz language sql immutable as $$
  select (p_day::timestamp - interval '3 hours') at time zone 'UTC'
$$;

create or replace function stat_user_hash(p_user text) returns bigint language sql immutable as $$
  select hashtextextended(p_user, 0)
$$;

-- A histogram with steps of a fifth: sums of steps give the percentiles of any period to within a tenth.
create or replace function stat_step(p_ms int) returns text language sql immutable as $$
  select floor(ln(greatest(p_ms, 1)::float8) / ln(1.2::float8))::int::text
$$;

create or replace function stat_rating(r ratings) returns text language sql immutable as $$
  select case when r.verdict = 'good' then 'good' else coalesce(r.reason, 'other') end
$$;

-- Sums a day from its rows, in place of what was summed before; rows of users that have not changed are left alone,
-- because today is summed again at each reading. A model earns the money that was paid for the symbols
-- spent on it, by the grants they came from; symbols of a gift earn nothing.
create or replace function stat_sum_day(p_day date) returns void language plpgsql as $$
declare
  v_from timestamptz := stat_day_start(p_day);
  v_to timestamptz := stat_day_start(p_day + 1);
begin
  delete from stat_days where day = p_day;
  with calls as materialized (
    select * from model_calls where created_at >= v_from and created_at < v_to
  ), entries as materialized (
    select id, user_id, kind, symbols, coalesce(model_id, '') as model_id, input, output, parts
    from ledger where created_at >= v_from and created_at < v_to
  ), spends as (
    select * from entries where kind in ('answer', 'translate', 'summary', 'image', 'transcription', 'minutes', 'indexing', 'scan', 'balance')
  ), parts as (
    select e.user_id, e.model_id, p.part->>'grant' as grant_id, sum(-(p.part->>'symbols')::bigint) as symbols
    from spends e cross join lateral jsonb_array_elements(e.parts) as p (part)
    group by 1, 2, 3
  ), earnings as materialized (
    select p.user_id, p.model_id, o.currency, sum(p.symbols * o.amount / o.symbols) as amount
    -- The limit makes the planner look up these grants, in place of reading all.
    from parts p cross join lateral (
      select o.currency, o.amount, o.symbols from grants g join orders o on o.id = g.order_id where g.id = p.grant_id limit 1
    ) as o
    group by 1, 2, 3
  ), active as materialized (
    select p_day as day, user_hash, sum(messages)::int as messages, sum(charged)::bigint as charged from (
      select user_hash, 1, 0 from calls where is_first_answer
      union all
      select stat_user_hash(user_id), 0, -symbols from spends
    ) as acts (user_hash, messages, charged)
    group by user_hash
  ), no_longer_active as (
    delete from stat_active_days d
    where d.day = p_day and not exists (select 1 from active a where a.user_hash = d.user_hash)
  ), active_days as (
    insert into stat_active_days (day, user_hash, messages, charged)
    select * from active except select * from stat_active_days where day = p_day
    on conflict (day, user_hash) do update set messages = excluded.messages, charged = excluded.charged
  ), money as materialized (
    select p_day as day, user_hash, currency, sum(earned)::float8 as earned, sum(cost) as cost from (
      select user_hash, cost_currency, 0, cost from calls where cost <> 0
      union all
      select stat_user_hash(user_id), currency, amount, 0 from earnings
    ) as sums (user_hash, currency, earned, cost)
    group by user_hash, currency
  ), no_money as (
    delete from stat_money_days d where d.day = p_day
      and not exists (select 1 from money m where m.user_hash = d.user_hash and m.currency = d.currency)
  ), money_days as (
    insert into stat_money_days (day, user_hash, currency, earned, cost)
    select * from money except select * from stat_money_days where day = p_day
    on conflict (day, user_hash, currency) do update set earned = excluded.earned, cost = excluded.cost
  )
  insert into stat_days (day, metric, key, detail, value)
  select p_day, metric, key, detail, value from (
    select 'new_users', '', '', count(*)::numeric from users where created_at >= v_from and created_at < v_to
    union all
    select 'converted', money_day(u.created_at)::text, '', count(*)
    from entries e join users u on u.id = e.user_id
    where e.kind in ('plan', 'bundle') and not exists (
      select 1 from ledger earlier where earlier.user_id = e.user_id and earlier.id < e.id and earlier.kind in ('plan', 'bundle'))
    group by 2
    union all
    select 'active', '', '', count(*) from active
    union all
    select 'messages', '', '', count(*) from calls where is_first_answer
    union all
    select 'answers', model_id, '', count(*) from calls where status is not null group by model_id
    union all
    select 'failed', model_id, failure, count(*) from calls where failure is not null group by model_id, failure
    union all
    select 'first_token_ms', model_id, stat_step(first_token_ms), count(*)
    from calls where first_token_ms is not null group by 2, 3
    union all
    select 'total_ms', model_id, stat_step(total_ms), count(*)
    from calls where total_ms is not null and status = 'complete' group by 2, 3
    union all
    select 'cost', model_id, cost_currency, sum(cost::numeric) from calls where cost <> 0 group by 2, 3
    union all
    select 'input', model_id, '', sum(input) from entries where kind = 'answer' group by model_id
    union all
    select 'output', model_id, '', sum(output) from entries where kind = 'answer' group by model_id
    union all
    select 'charged', model_id, '', sum(-symbols) from spends group by model_id
    union all
    select 'earned', model_id, currency, sum(amount) from earnings group by model_id, currency
    union all
    select 'symbols', kind, '', sum(symbols) from entries group by kind
    union all
    select 'ratings', r.model_id, stat_rating(r), count(*)
    from ratings r where r.created_at >= v_from and r.created_at < v_to group by 2, 3
    union all
    select 'promo_uses', '', '', count(*) from promo_uses where created_at >= v_from and created_at < v_to
  ) as figures (metric, key, detail, value)
  where value <> 0;
end $$;

-- A subscription counts from the day it was created, if it was ever paid, to the day its last paid period ends, which may
-- be in the future. One that was replaced by another plan counts until then, and is not a cancellation. All that happened
-- before p_from has the day before it.
create or replace function stat_subscriptions(p_from date, p_to date)
returns table (day date, metric text, key text, detail text, value numeric) language sql stable as $$
  with moved as materialized (
    select greatest(money_day(f.at), p_from - 1) as day, f.change, s.plan_version_id, count(*) as count
    from subscriptions s
    cross join lateral (values
      (s.created_at, 'started'),
      (case when s.replaced_by is null then s.cancel_requested_at end, 'canceled'),
      (case when s.cancel_requested_at is not null or s.state in ('canceled', 'failed', 'error', 'expired', 'unsaved', 'once') then
        coalesce(s.revoked_at, case when s.replaced_by is not null then least(s.cancel_requested_at, s.active_to) end,
                 s.active_to) end, 'ended')
    ) as f (at, change)
    where s.active_to is not null and f.at < stat_day_start(p_to + 1)
    group by 1, 2, 3
  )
  select m.day, f.metric, '', f.detail, sum(f.value)
  from moved m
  join plan_versions v on v.id = m.plan_version_id
  cross join lateral (values
    (m.change = 'canceled', 'canceled', '', m.count::numeric),
    (m.change <> 'canceled', 'subscriptions_' || m.change, '', m.count),
    (m.change <> 'canceled', 'mrr_' || m.change, v.currency, m.count * v.price * 30.0 / v.interval_days)
  ) as f (counts, metric, detail, value)
  where f.counts
  group by 1, 2, 4
$$;

-- Payments of the days from p_from to p_to, and all subscriptions until p_to. Paid orders count on the day of payment,
-- others on the day they were created.
create or replace function stat_payments(p_from date, p_to date)
returns table (day date, metric text, key text, detail text, value numeric) language sql stable as $$
  with sold as materialized (
    select money_day(coalesce(o.paid_at, o.created_at)) as day, o.kind, o.currency, o.promo_id is not null as has_promo,
      o.paid_at is not null as is_paid, o.status, count(*) as orders, sum(o.amount) as amount,
      sum(v.price - o.amount) as discount
    from orders o left join plan_versions v on v.id = o.plan_version_id
    where coalesce(o.paid_at, o.created_at) >= stat_day_start(p_from)
      and coalesce(o.paid_at, o.created_at) < stat_day_start(p_to + 1)
    group by 1, 2, 3, 4, 5, 6
  )
  select s.day, f.metric, f.key, f.detail, sum(f.value)
  from sold s
  cross join lateral (values
    (s.is_paid, 'paid', s.kind, '', s.orders::numeric),
    (s.is_paid, 'revenue', s.kind, s.currency, s.amount),
    (s.is_paid and s.has_promo, 'promo_orders', '', '', s.orders),
    (s.is_paid and s.has_promo, 'promo_revenue', '', s.currency, s.amount),
    (s.is_paid and s.has_promo, 'promo_discount', '', s.currency, s.discount),
    (s.status in ('failed', 'expired'), 'unpaid', s.kind, s.status, s.orders)
  ) as f (counts, metric, key, detail, value)
  where f.counts and f.value <> 0
  group by 1, 2, 3, 4
  union all
  select money_day(created_at), 'refunds', kind, currency, sum(amount) from reversals
  where created_at >= stat_day_start(p_from) and created_at < stat_day_start(p_to + 1)
  group by 1, 3, 4
  union all
  select * from stat_subscriptions(p_from, p_to)
$$;
