import { FREE_STOPS } from '#contract/billing.ts'
import type { EarlyStop, Message } from '#contract/threads.ts'
import { formatSymbols } from '#web/lib/format.ts'

/** What a stop cost: nothing is said where the answer itself tells it. */
export function stoppedLabel({ earlyStop }: Pick<Message, 'earlyStop'>): string {
  return earlyStop ? `Ответ остановлен до первого слова. ${costOfStop(earlyStop)}` : 'Ответ остановлен.'
}

/** «Бесплатная остановка 2 из 3 за сегодня.» */
export function costOfStop({ charged, free }: EarlyStop): string {
  if (free !== null) return `Бесплатная остановка ${free} из ${FREE_STOPS} за сегодня.`
  return charged === 0 ? 'Ничего не списано.' : `Вопрос уже был у модели: списано ${formatSymbols(charged)}.`
}
