import type { Db } from '#server/db/client.ts'
import { bundles, plans } from '#server/db/schema.ts'
import { createBundle } from './bundles.ts'
import { createPlan } from './plans.ts'

const currency = 'BYN'
const month = { currency, intervalDays: 30, active: true }

/** Something to buy while the product is tried out. A real owner begins with an empty shop. */
export async function seedOffer(db: Db): Promise<void> {
  if ((await db.$count(plans)) === 0) {
    const start = 'Для писем, перевода и вопросов на каждый день.'
    const pro = 'Для тех, кто работает с текстами и файлами весь день.'
    await createPlan(db, { name: 'Старт', description: start, symbols: 500_000, price: 990, position: 0, ...month })
    await createPlan(db, { name: 'Про', description: pro, symbols: 2_000_000, price: 2990, position: 1, ...month })
  }
  if ((await db.$count(bundles)) === 0) {
    const sizes = [
      { name: 'Пакет на пробу', symbols: 100_000, price: 350 },
      { name: 'Пакет на месяц', symbols: 500_000, price: 1490 },
      { name: 'Большой пакет', symbols: 2_000_000, price: 4990 },
    ]
    for (const [position, size] of sizes.entries())
      await createBundle(db, { ...size, currency, active: true, position })
  }
}
