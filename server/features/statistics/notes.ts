import { eq, like, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { Statistics } from '#contract/statistics.ts'
import type { Db } from '#server/db/client.ts'
import { rowsOf } from '#server/db/rows-of.ts'
import { statNotes } from '#server/db/schema.ts'
import { lastCheckableEntry, type Problem, reconcile } from '../billing/invariants.ts'
import { groupBy } from './figures.ts'

/** Results that take long to compute, stored with their time in `stat_notes`. */

type Owed = Statistics['owed']
const LedgerCheck = z.object({ ok: z.boolean(), problems: z.int() })
/** The stored name of the note. */
export const LEDGER_CHECK = 'books'
const CHECKED_UNTIL = 'ledger-checked-until'
const CheckedUntil = z.object({ entryId: z.int(), at: z.coerce.date() })
type CheckedUntil = z.infer<typeof CheckedUntil>
const FRESH_MS = 60_000

async function putNote(db: Db, name: string, value: object, at = new Date()): Promise<void> {
  await db
    .insert(statNotes)
    .values({ name, at, value })
    .onConflictDoUpdate({ target: statNotes.name, set: { at, value } })
}

async function findNote(db: Db, name: string) {
  const [note] = await db.select().from(statNotes).where(eq(statNotes.name, name))
  return note
}

/** Runs the whole reconciliation and stores its result. */
export const checkAndNoteLedger = (db: Db) => checkLedger(db, null)

/**
 * The nightly check: entries since the last check without problems, and once a month all entries. A check that finds
 * problems is not remembered, so that the next one finds them again.
 */
export async function checkNewEntries(db: Db, now = new Date()): Promise<Problem[]> {
  const last = await findNote(db, CHECKED_UNTIL)
  const isTimeForAll = now.getUTCDate() === 1
  return checkLedger(db, last && !isTimeForAll ? CheckedUntil.parse(last.value) : null)
}

async function checkLedger(db: Db, since: CheckedUntil | null): Promise<Problem[]> {
  const reach = await lastCheckableEntry(db)
  const problems = await reconcile(db, since)
  await putNote(db, LEDGER_CHECK, { ok: problems.length === 0, problems: problems.length })
  if (problems.length === 0 && reach) await putNote(db, CHECKED_UNTIL, reach)
  return problems
}

export async function lastLedgerCheck(db: Db): Promise<Statistics['ledger']> {
  const note = await findNote(db, LEDGER_CHECK)
  return note ? { at: note.at.toISOString(), ...LedgerCheck.parse(note.value) } : null
}

const WARNING = 'warning:'
const Warning = z.object({ message: z.string() })

/** Shows a warning to administrators; null removes it. */
export async function setWarning(db: Db, name: string, message: string | null): Promise<void> {
  if (message !== null) await putNote(db, WARNING + name, { message })
  else await db.delete(statNotes).where(eq(statNotes.name, WARNING + name))
}

export async function readWarnings(db: Db): Promise<Statistics['warnings']> {
  const notes = await db
    .select()
    .from(statNotes)
    .where(like(statNotes.name, `${WARNING}%`))
    .orderBy(statNotes.name)
  return notes.map(({ name, at, value }) => ({
    name: name.slice(WARNING.length),
    at: at.toISOString(),
    message: Warning.parse(value).message,
  }))
}

/** Unspent symbols, at most a minute old. */
export async function readOwed(db: Db, now = new Date()): Promise<Owed> {
  const note = await findNote(db, 'owed')
  if (note && now.getTime() - note.at.getTime() < FRESH_MS)
    return { at: note.at.toISOString(), ...OwedNote.parse(note.value) }
  const grants = await owedNow(db, now)
  await putNote(db, 'owed', { grants }, now)
  return { at: now.toISOString(), grants }
}

const OwedNote = z.pick(Statistics.shape.owed, { grants: true })
const OwedRow = z.object({
  kind: z.enum(['plan', 'bundle', 'promo', 'gift', 'refund']),
  currency: z.nullable(z.string()),
  people: z.coerce.number(),
  symbols: z.coerce.number(),
  worth: z.coerce.number(),
})

/** `worth` is what was paid for exactly these symbols. */
async function owedNow(db: Db, now: Date): Promise<Owed['grants']> {
  const rows = await rowsOf(
    db,
    sql`
    select g.kind, o.currency, count(distinct g.user_id) as people, sum(g.remaining)::float8 as symbols,
      coalesce(sum(g.remaining::numeric * o.amount / o.symbols), 0)::float8 as worth
    from grants g left join orders o on o.id = g.order_id
    where g.is_left and (g.expires_at is null or g.expires_at > ${now.toISOString()}::timestamptz)
    group by g.kind, o.currency order by g.kind, o.currency`,
    OwedRow,
  )
  const kinds = groupBy(rows, ({ kind }) => kind)
  return [...kinds].map(([kind, parts]) => ({
    kind,
    people: parts.reduce((all, { people }) => all + people, 0),
    symbols: parts.reduce((all, { symbols }) => all + symbols, 0),
    worth: parts.flatMap(({ currency, worth }) => (currency ? [{ currency, amount: worth }] : [])),
  }))
}

const SUMMED_UNTIL = 'summed-until'
const SummedUntil = z.object({ day: z.iso.date() })

/** The last day whose sums are final; null before the first. */
export async function readSummedDay(db: Db): Promise<string | null> {
  const note = await findNote(db, SUMMED_UNTIL)
  return note ? SummedUntil.parse(note.value).day : null
}

export const noteSummedDay = (db: Db, day: string) => putNote(db, SUMMED_UNTIL, { day })

export async function forgetSummedDays(db: Db): Promise<void> {
  await db.delete(statNotes).where(eq(statNotes.name, SUMMED_UNTIL))
}
