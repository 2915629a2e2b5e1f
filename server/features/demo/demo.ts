import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { rebuildFigures } from '../statistics/rollups.ts'
import { books } from './ledger.ts'
import { offer, people } from './people.ts'
import { purchases } from './purchases.ts'
import { exchanges, talk } from './talk.ts'

export interface DemoSize {
  people: number
  /** Questions with their answers. */
  exchanges: number
}

export const LARGE: DemoSize = { people: 50_000, exchanges: 500_000 }
export const SMALL: DemoSize = { people: 500, exchanges: 5000 }

/** Tables whose changes are noted one by one; here the sums are made once, at the end. */
const NOTED = ['users', 'messages', 'ledger', 'orders', 'reversals', 'promo_uses', 'subscriptions']

interface Options {
  /** Beside people who are not of the demo. */
  intoExisting?: boolean
  onStep?: (step: string) => void
}

/**
 * Two years of an invented product: people, chats, purchases and books that add up. All of it goes by names that begin
 * with «Демо» and addresses at demo.invalid. Everything or nothing.
 */
export async function seedDemo(db: Db, size: DemoSize, { intoExisting = false, onStep = () => {} }: Options = {}) {
  await refuseWhatIsThere(db, intoExisting)
  const steps: Record<string, string[]> = {
    'Тарифы и модели': offer(!intoExisting),
    Люди: people(size.people),
    Покупки: purchases(),
    Вопросы: exchanges(size.exchanges),
    Сообщения: talk(),
    'Книги баланса': books(),
  }
  await db.transaction(async (tx) => {
    const run = (statement: string) => tx.execute(sql.raw(statement))
    await run(`set local work_mem = '256MB'`)
    for (const table of NOTED) await run(`alter table ${table} disable trigger user`)
    for (const [step, statements] of Object.entries(steps)) {
      onStep(step)
      for (const statement of statements) await run(statement)
    }
    for (const table of NOTED) await run(`alter table ${table} enable trigger user`)
    onStep('Статистика')
    await rebuildFigures(tx)
  })
  // Also marks pages as seen by all, so that keys can be counted without their rows.
  await db.execute(sql`vacuum analyze`)
}

async function refuseWhatIsThere(db: Db, intoExisting: boolean): Promise<void> {
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
