import { type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Db } from '#server/db/client.ts'
import { rowsOf } from '#server/db/rows-of.ts'

export interface Problem {
  rule: string
  userId: string
  details: string
}

/** Broken in a restored backup until the first start ends the work that was running then. */
export const HOLD_WITHOUT_WORK = 'no hold outlives its work'

/** Entries up to this one were checked before: only later entries and messages have to be checked. */
export interface CheckedUntil {
  entryId: number
  at: Date
}

const KEY_COUNTERS = 'a key has spent what the ledger says'

/** The counters of a key are those of the last day on which it spent, and of its month. */
const keyCounters = (since = sql`true`) => sql`
  select k.user_id, format('key %s says %s and %s, the ledger %s and %s', k.id, k.spent_today, k.spent_month, l.day, l.month) as details
  from api_keys k
  cross join lateral (
    select coalesce(-sum(symbols) filter (where money_day(created_at) = k.spent_day), 0) as day, coalesce(-sum(symbols), 0) as month
    from ledger
    where user_id = k.user_id and api_key_id = k.id and symbols < 0 and created_at > k.spent_day - interval '33 days'
      and money_month(money_day(created_at)) = money_month(k.spent_day)) l
  where k.spent_day is not null and ${since} and (k.spent_today <> l.day or k.spent_month <> l.month)`

/** What must always be true of the ledger. Each query returns the users for whom it is not, with details. */
const rules = {
  'the ledger adds up to the grants and to the balance': sql`
    select b.user_id, format('ledger %s, grants %s, balance %s', coalesce(l.sum, 0), coalesce(g.sum, 0), b.total) as details
    from balances b
    left join (select user_id, sum(symbols) from ledger group by user_id) l using (user_id)
    left join (select user_id, sum(remaining) from grants group by user_id) g using (user_id)
    where coalesce(l.sum, 0) <> b.total or coalesce(g.sum, 0) <> b.total`,
  'every entry says the balance after it': sql`
    select user_id, format('entry %s says %s, the sum is %s', id, balance_after, running) as details
    from (select user_id, id, balance_after, sum(symbols) over (partition by user_id order by id) as running from ledger) e
    where balance_after <> running`,
  'what is held is the sum of the running holds': sql`
    select b.user_id, format('held %s, holds %s', b.held, coalesce(h.sum, 0)) as details
    from balances b
    left join (select user_id, sum(symbols) from holds where state = 'active' group by user_id) h using (user_id)
    where coalesce(h.sum, 0) <> b.held`,
  'every entry is explained by grants': sql`
    select user_id, format('entry %s of %s has parts of %s', id, symbols, parts_sum) as details
    from (select user_id, id, symbols,
            (select coalesce(sum((p->>'symbols')::bigint), 0) from jsonb_array_elements(parts) p) as parts_sum
          from ledger) e
    where symbols <> parts_sum`,
  'every user with grants, holds or entries has a balance': sql`
    select distinct user_id, 'no balance row' as details
    from (select user_id from grants union select user_id from holds union select user_id from ledger) u
    where not exists (select 1 from balances b where b.user_id = u.user_id)`,
  [HOLD_WITHOUT_WORK]: sql`
    select user_id, format('hold %s of %s ends at %s', key, coalesce(instance, 'no process'), lease_until) as details
    from holds h
    where state = 'active' and (lease_until < now() - interval '10 minutes' or (
      instance is not null and created_at < now() - interval '10 minutes'
      and not exists (select 1 from instances i where i.id = h.instance and i.ended_at is null)))`,
  [KEY_COUNTERS]: keyCounters(),
  'a failed answer has no charge': sql`
    select m.user_id, format('message %s: its failed run was charged %s', m.id, -l.symbols) as details
    from messages m join ledger l on l.key = 'hold:' || (m.run->>'hold')
    where m.status = 'failed'`,
  'an answer was charged what the ledger says': sql`
    select m.user_id, format('message %s says %s, the ledger %s', m.id, m.charged, coalesce(l.sum, 0)) as details
    from messages m
    left join (select message_id, -sum(symbols) as sum from ledger where message_id is not null group by message_id) l
      on l.message_id = m.id
    where m.role = 'assistant' and not m.copied and m.charged <> coalesce(l.sum, 0)`,
  'stored text has no gap': sql`
    select user_id, format('message %s: text up to %s, then from %s', id, before, at) as details
    from (select m.user_id, m.id, c.at,
            coalesce(lag(c.upto) over (partition by m.id order by c.at), (m.run->>'offset')::int) as before
          from message_chunks c join messages m on m.id = c.message_id) chunks
    where at > before or before is null`,
  'every paid order has its grant': sql`
    select user_id, format('order %s has none', id) as details
    from orders o
    where paid_at is not null and user_id is not null
      and not exists (select 1 from grants g where g.order_id = o.id and g.user_id = o.user_id and g.symbols = o.symbols)`,
  'every bought grant has its paid order': sql`
    select user_id, format('grant %s has none', id) as details
    from grants g
    where kind in ('plan', 'bundle') and not exists (select 1 from orders o where o.id = g.order_id and o.paid_at is not null)`,
  'a period that is paid for has its paid order and its grant': sql`
    select s.user_id, format('subscription %s is paid until %s without them', s.id, s.active_to) as details
    from subscriptions s join plan_versions v on v.id = s.plan_version_id
    where s.user_id is not null and s.active_to > now() and s.revoked_at is null
      and not exists (
        select 1 from orders o join grants g on g.order_id = o.id and g.user_id = s.user_id
        where o.subscription_id = s.id and o.paid_at is not null
          and g.expires_at > s.active_to - least(v.interval_days, 6) * interval '12 hours')`,
  'what was paid back is not spent on': sql`
    select g.user_id, format('grant %s of order %s still has %s', g.id, o.id, g.remaining) as details
    from grants g join orders o on o.id = g.order_id
    where o.status in ('refunded', 'charged_back') and g.is_left and (g.expires_at is null or g.expires_at > now())`,
}

const ProblemRow = z.object({ user_id: z.string(), details: z.string() })

/**
 * The rules whose full check reads the whole ledger, limited to entries after an earlier check. Entries that it found
 * correct cannot change, because the ledger is append-only.
 */
const rulesSince = ({ entryId, at }: CheckedUntil): Partial<Record<keyof typeof rules, SQL>> => {
  const since = sql`${at.toISOString()}::timestamptz`
  return {
    'the ledger adds up to the grants and to the balance': sql`
      select b.user_id, format('ledger %s, grants %s, balance %s', coalesce(l.balance_after, 0), coalesce(g.sum, 0), b.total) as details
      from balances b
      left join lateral (
        select balance_after from ledger where user_id = b.user_id order by id desc limit 1) l on true
      left join (select user_id, sum(remaining) from grants where is_left group by user_id) g using (user_id)
      where coalesce(l.balance_after, 0) <> b.total or coalesce(g.sum, 0) <> b.total`,
    'every entry says the balance after it': sql`
      select user_id, format('entry %s says %s, the sum is %s', id, balance_after, before + symbols) as details
      from (select user_id, id, symbols, balance_after, coalesce(
              lag(balance_after) over (partition by user_id order by id),
              (select p.balance_after from ledger p where p.user_id = e.user_id and p.id < e.id order by p.id desc limit 1),
              0) as before
            from ledger e where id > ${entryId}) e
      where balance_after <> before + symbols`,
    'every entry is explained by grants': sql`
      select user_id, format('entry %s of %s has parts of %s', id, symbols, parts_sum) as details
      from (select user_id, id, symbols,
              (select coalesce(sum((p->>'symbols')::bigint), 0) from jsonb_array_elements(parts) p) as parts_sum
            from ledger where id > ${entryId}) e
      where symbols <> parts_sum`,
    'every user with grants, holds or entries has a balance': sql`
      select distinct user_id, 'no balance row' as details
      from (select user_id from grants where is_left
            union select user_id from holds where state = 'active'
            union select user_id from ledger where id > ${entryId}) u
      where not exists (select 1 from balances b where b.user_id = u.user_id)`,
    [KEY_COUNTERS]: keyCounters(sql`k.spent_day >= money_day(${since})`),
    'a failed answer has no charge': sql`
      select m.user_id, format('message %s: its failed run was charged %s', m.id, -l.symbols) as details
      from messages m join ledger l on l.key = 'hold:' || (m.run->>'hold')
      where m.status = 'failed' and m.created_at >= ${since}`,
    'an answer was charged what the ledger says': sql`
      select m.user_id, format('message %s says %s, the ledger %s', m.id, m.charged, coalesce(l.sum, 0)) as details
      from messages m
      left join (select message_id, -sum(symbols) as sum from ledger
                 where message_id is not null and created_at >= ${since} group by message_id) l
        on l.message_id = m.id
      where m.role = 'assistant' and not m.copied and m.created_at >= ${since} and m.charged <> coalesce(l.sum, 0)`,
  }
}

/** An entry of a slow transaction becomes visible after later ones, so the last minutes are checked again next time. */
const MARGIN = sql`interval '10 minutes'`

/** Null while no entry is old enough. */
export async function lastCheckableEntry(db: Db): Promise<CheckedUntil | null> {
  const [row] = await rowsOf(
    db,
    sql`select id, (extract(epoch from created_at) * 1000)::bigint as ms from ledger
      where created_at < now() - ${MARGIN} order by created_at desc, id desc limit 1`,
    z.object({ id: z.coerce.number(), ms: z.coerce.number() }),
  )
  return row ? { entryId: row.id, at: new Date(row.ms) } : null
}

/** Checks all rules, or only what is new since an earlier check; an empty list means that everything adds up. */
export async function reconcile(db: Db, since: CheckedUntil | null = null): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const [rule, query] of Object.entries(since ? { ...rules, ...rulesSince(since) } : rules)) {
    const rows = await rowsOf(db, query, ProblemRow)
    problems.push(...rows.map((row) => ({ rule, userId: row.user_id, details: row.details })))
  }
  return problems
}
