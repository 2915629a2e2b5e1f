import { sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Db } from '#server/db/client.ts'
import { oneRowOf } from '#server/db/rows-of.ts'
import { sumAllDays } from '../statistics/sums.ts'
import { chats, exchanges, offer, people } from './people.ts'

interface DemoSize {
  people: number
  /** Questions with their answers. */
  exchanges: number
}

export const LARGE: DemoSize = { people: 50_000, exchanges: 500_000 }
export const SMALL: DemoSize = { people: 500, exchanges: 5000 }

interface Options {
  /** Allows a database that already has other users. */
  intoExisting?: boolean
  onStep?: (step: string) => void
}

/**
 * Two years of invented data: users, chats, purchases and a consistent ledger, in one transaction. Names begin with
 * «Демо», emails end with demo.invalid.
 */
export async function seedDemo(db: Db, size: DemoSize, { intoExisting = false, onStep = () => {} }: Options = {}) {
  await assertCanSeed(db, intoExisting)
  const steps: Record<string, string[]> = {
    'Тарифы и модели': offer(!intoExisting),
    Люди: people(size.people),
    Покупки: purchases(),
    Вопросы: exchanges(size.exchanges),
    Сообщения: chats(),
    'Учёт символов': ledgerEntries(),
  }
  await db.transaction(async (tx) => {
    const run = (statement: string) => tx.execute(sql.raw(statement))
    await run(`set local work_mem = '256MB'`)
    for (const [step, statements] of Object.entries(steps)) {
      onStep(step)
      for (const statement of statements) await run(statement)
    }
  })
  // Updates the visibility map too, which index-only scans need.
  await db.execute(sql`vacuum analyze`)
  onStep('Статистика')
  await sumAllDays(db)
}

const UserCounts = z.object({ demo: z.coerce.number(), real: z.coerce.number() })

async function assertCanSeed(db: Db, intoExisting: boolean): Promise<void> {
  const users = await oneRowOf(
    db,
    sql`
    select count(*) filter (where email like '%@demo.invalid') as demo,
      count(*) filter (where email not like '%@demo.invalid') as real from users`,
    UserCounts,
  )
  if (users.demo > 0) throw new Error('Данные для показа уже есть в этой базе.')
  if (users.real > 0 && !intoExisting) {
    throw new Error('В этой базе есть пользователи. Возьмите пустую или добавьте --into-existing.')
  }
}

/** Each grant has a period in which its symbols are spent, so that the ledger can be computed per grant. */
const purchases = (): string[] => [
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

/** Grants, ledger entries in order of time, and the resulting balances. */
const ledgerEntries = (): string[] => [
  `create temporary table demo_used on commit drop as
   select g.*, g.symbols - coalesce(u.used, 0) as unspent from demo_grants g
   left join (select grant_id, sum(charged)::bigint as used from demo_exchanges group by grant_id) u on u.grant_id = g.id`,
  `insert into grants (id, user_id, kind, symbols, remaining, expires_at, order_id, note, created_at)
   select id, user_id, kind, symbols, case when refunded or expires_at <= now() then 0 else unspent end,
     case when refunded then least(begins + interval '1 day', now()) else expires_at end, order_id,
     case kind when 'gift' then null else 'Демо' end, begins
   from demo_used order by begins`,
  `create temporary table demo_entries on commit drop as
   select row_number() over (order by at, turn, key) as no, entries.* from (
     select user_id, 'demo-grant:' || id as key, kind, symbols, id as grant_id, begins as at, 0 as turn, amount, null::bigint as exchange
     from demo_grants
     union all
     select user_id, 'demo-answer:' || no, 'answer', -charged, grant_id, at, 1, null, no from demo_exchanges where charged > 0
     union all
     select user_id, 'demo-expiry:' || id, 'expiry', -unspent, id, expires_at, 2, null, null
     from demo_used where expires_at <= now() and unspent > 0 and not refunded
     union all
     select user_id, 'demo-back:' || id, 'take_back', -unspent, id, least(begins + interval '1 day', now()), 2, -amount, null
     from demo_used where refunded
   ) as entries`,
  `insert into ledger (user_id, key, kind, symbols, balance_after, parts, model_id, thread_id, message_id, input, output,
     input_rate, output_rate, amount, currency, created_at)
   select n.user_id, n.key, n.kind, n.symbols, sum(n.symbols) over (partition by n.user_id order by n.no),
     jsonb_build_array(jsonb_build_object('grant', n.grant_id, 'symbols', n.symbols)),
     e.model_id, 'demo-t-' || e.user_id || '-' || e.thread_no, 'demo-a-' || e.no, e.input, e.output, m.input_rate, m.output_rate,
     n.amount, case when n.amount is not null then 'BYN' end, n.at
   from demo_entries n left join demo_exchanges e on e.no = n.exchange left join models m on m.id = e.model_id
   order by n.no`,
  `insert into balances (user_id, total, exhausted)
   select user_id, sum(remaining), sum(remaining) = 0 from grants where user_id like 'demo-u-%' group by user_id`,
]
