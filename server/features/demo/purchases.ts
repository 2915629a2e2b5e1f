/** Every grant with the span in which its symbols are spent: that makes the books simple to write and easy to prove. */
export const purchases = (): string[] => [
  `create temporary table demo_subscriptions on commit drop as
   select *, sold.begins + interval '30 days' * least(sold.wanted, sold.possible) as active_to, sold.wanted <= sold.possible - 1 as ended,
     least(sold.wanted, sold.possible) as periods
   from (
     select n, id as user_id, 'demo-s-' || n as id, begins, 1 + floor(-ln(1 - random()) * 5)::int as wanted,
       1 + floor(extract(epoch from now() - begins) / (30 * 86400))::int as possible,
       case when luck < 0.7 then 'demo-version-1' else 'demo-version-2' end as version_id,
       random() < 0.12 as with_code
     from (select *, created_at + interval '1 day' * (20 * random() ^ 2) as begins from demo_people where pays) as p
     where begins < now()
   ) as sold`,
  `create temporary table demo_grants on commit drop as
   select 'demo-g-' || n as id, id as user_id, 'gift' as kind, 20000::bigint as symbols, created_at as begins,
     least(created_at + interval '60 days', now()) as ends, null::timestamptz as expires_at, null as order_id,
     null::bigint as amount, 1 + floor(-ln(1 - random()) * 2.2) as weight, false as refunded
   from demo_people
   union all
   select 'demo-gp-' || s.n || '-' || p, s.user_id, 'plan', v.symbols, s.begins + interval '30 days' * p,
     least(s.begins + interval '30 days' * (p + 1), now()), s.begins + interval '30 days' * (p + 1), 'demo-o-' || s.n || '-' || p,
     case when p = 0 and s.with_code then v.price * 80 / 100 else v.price end, 5 + floor(-ln(1 - random()) * 14), false
   from demo_subscriptions s join plan_versions v on v.id = s.version_id cross join lateral generate_series(0, s.periods - 1) p
   union all
   select 'demo-gb-' || n || '-' || b, id, 'bundle', 200000, begins, least(begins + interval '25 days', now()), null,
     'demo-b-' || n || '-' || b, 590, case when back then 0 else 3 + floor(-ln(1 - random()) * 9) end, back
   from (
     select n, id, b, created_at + (now() - created_at) * random() * 0.98 as begins, random() < 0.03 as back
     from demo_people cross join lateral generate_series(1, bundles) b
   ) as bought
   union all
   select 'demo-gc-' || n, id, 'promo', 5000, begins, least(begins + interval '15 days', now()), null, null, null,
     floor(random() * 3), false
   from (select n, id, created_at + (now() - created_at) * random() * 0.3 as begins from demo_people where has_code) as codes`,
  'create index on demo_grants (id)',
  'analyze demo_grants',
  `insert into subscriptions (id, gateway_id, user_id, plan_version_id, state, active_to, renew_at, paid_billing_cycles,
     card_last4, card_brand, cancel_requested_at, canceled_at, reminded_for, created_at)
   select id, id, user_id, version_id, case when ended then 'canceled' else 'active' end, active_to,
     case when ended then null else active_to end, periods, '4242', 'visa',
     case when ended or n % 12 = 0 then active_to - interval '30 days' + least(now() - (active_to - interval '30 days'), interval '25 days') * random() end,
     case when ended then active_to end, case when ended then null else active_to end, begins
   from demo_subscriptions`,
  `insert into orders (id, user_id, kind, status, plan_version_id, subscription_id, title, symbols, amount, currency,
     promo_id, discount_percent, gateway_uid, created_at, paid_at)
   select g.order_id, g.user_id, case when g.begins = s.begins then 'plan' else 'renewal' end, 'paid', s.version_id, s.id,
     'Демо: тариф', g.symbols, g.amount, 'BYN', case when g.begins = s.begins and s.with_code then 'demo-code-2' end,
     case when g.begins = s.begins and s.with_code then 20 end, 'demo-uid-' || g.order_id, g.begins, g.begins
   from demo_grants g join demo_subscriptions s on s.user_id = g.user_id where g.kind = 'plan'`,
  `insert into orders (id, user_id, kind, status, bundle_id, title, symbols, amount, currency, gateway_uid, refunded_amount,
     created_at, paid_at)
   select order_id, user_id, 'bundle', case when refunded then 'refunded' else 'paid' end, 'demo-bundle', 'Демо: пакет', symbols,
     amount, 'BYN', 'demo-uid-' || order_id, case when refunded then amount else 0 end, begins, begins
   from demo_grants where kind = 'bundle'`,
  `insert into orders (id, user_id, kind, status, bundle_id, title, symbols, amount, currency, created_at)
   select 'demo-f-' || n, id, 'bundle', case when n % 3 = 0 then 'expired' else 'failed' end, 'demo-bundle', 'Демо: пакет',
     200000, 590, 'BYN', created_at + (now() - created_at) * random()
   from demo_people where luck > 0.96`,
  `insert into reversals (uid, parent_uid, kind, amount, currency, created_at)
   select 'demo-back-' || order_id, 'demo-uid-' || order_id, case when length(order_id) % 4 = 0 then 'chargeback' else 'refund' end,
     amount, 'BYN', least(begins + interval '1 day', now()) from demo_grants where refunded`,
  `insert into promo_uses (promo_id, user_id, order_id, created_at)
   select 'demo-code-1', user_id, null, begins from demo_grants where kind = 'promo'
   union all select 'demo-code-2', user_id, 'demo-o-' || n || '-0', begins from demo_subscriptions where with_code`,
  `update promo_codes set uses = (select count(*) from promo_uses u where u.promo_id = promo_codes.id) where id like 'demo-code-%'`,
]
