import type { Welcome } from '#contract/page.ts'
import type { Db } from '#server/db/client.ts'
import { formatDays, formatSum, formatSymbols } from '#server/email/templates/layout.ts'
import { cheapestPlan } from '#server/features/payments/plans.ts'

const TEXT =
  'Чат с разными нейросетями на русском языке: тексты, файлы, картинки и записи, и цена каждого ответа видна.'

const EXAMPLES = [
  'Чем ИП отличается от самозанятого?',
  'Составь меню на неделю для четверых',
  'Напиши вежливое письмо: просим оплатить счёт до пятницы',
]

export async function welcomeOf(db: Db, startSymbols: number): Promise<Welcome> {
  const plan = await cheapestPlan(db)
  const gift = startSymbols > 0 ? [`${formatSymbols(startSymbols)} в подарок`] : []
  const price = plan
    ? [`тарифы от\u00a0${formatSum(plan.price, plan.currency)} за ${formatDays(plan.intervalDays)}`]
    : []
  return { text: TEXT, offer: sentence([...gift, ...price].join(', ')), examples: EXAMPLES }
}

const sentence = (text: string) => (text ? `${text.charAt(0).toUpperCase()}${text.slice(1)}.` : '')
