import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { rebuildFigures } from '../statistics/rollups.ts'
import { chats, exchanges, offer, people } from './people.ts'
import { ledgerEntries, purchases } from './purchases.ts'

export interface DemoSize {
  people: number
  /** Questions with their answers. */
  exchanges: number
}

export const LARGE: DemoSize = { people: 50_000, exchanges: 500_000 }
export const SMALL: DemoSize = { people: 500, exchanges: 5000 }

/** Tables with statistics triggers. They are disabled while seeding; the statistics are rebuilt at the end. */
const WITH_TRIGGERS = ['users', 'messages', 'ledger', 'orders', 'reversals', 'promo_uses', 'subscriptions']

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
    'Книги баланса': ledgerEntries(),
  }
  await db.transaction(async (tx) => {
    const run = (statement: string) => tx.execute(sql.raw(statement))
    await run(`set local work_mem = '256MB'`)
    for (const table of WITH_TRIGGERS) await run(`alter table ${table} disable trigger user`)
    for (const [step, statements] of Object.entries(steps)) {
      onStep(step)
      for (const statement of statements) await run(statement)
    }
    for (const table of WITH_TRIGGERS) await run(`alter table ${table} enable trigger user`)
    onStep('Статистика')
    await rebuildFigures(tx)
  })
  // Updates the visibility map too, which index-only scans need.
  await db.execute(sql`vacuum analyze`)
}

async function assertCanSeed(db: Db, intoExisting: boolean): Promise<void> {
  const { rows } = (await db.execute(sql`
    select count(*) filter (where email like '%@demo.invalid') as demo,
      count(*) filter (where email not like '%@demo.invalid') as real from users`)) as unknown as {
    rows: { demo: number | string; real: number | string }[]
  }
  if (Number(rows[0]?.demo) > 0) throw new Error('Данные для показа уже есть в этой базе.')
  if (Number(rows[0]?.real) > 0 && !intoExisting) {
    throw new Error('В этой базе есть пользователи. Возьмите пустую или добавьте --into-existing.')
  }
}
