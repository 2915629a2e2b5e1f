import type { Dispute } from '#contract/disputes.ts'
import type { MessageStatus } from '#contract/threads.ts'
import type { DisputeStatus } from '#contract/transactions.ts'
import { formatNumber } from '#web/lib/format.ts'
import type { BadgeTone } from '#web/ui/table/badge.tsx'

export const statusLabel: Record<DisputeStatus, { label: string; tone: BadgeTone }> = {
  open: { label: 'Ждёт решения', tone: 'warning' },
  returned: { label: 'Возвращено', tone: 'success' },
  refused: { label: 'Отказано', tone: 'neutral' },
}

export const answerEnds: Record<MessageStatus, string> = {
  streaming: 'ещё пишется',
  complete: 'дописан до конца',
  stopped: 'остановлен пользователем',
  interrupted: 'оборвался',
  failed: 'закончился ошибкой',
  out_of_symbols: 'остановлен: не хватило символов или дневного предела',
}

/** The decision for a table cell: «40 из 100». */
export function outcomeLabel({ status, returned, entry }: Dispute): string | null {
  if (status !== 'returned') return null
  const charged = -entry.symbols
  return returned === charged ? formatNumber(charged) : `${formatNumber(returned ?? 0)} из ${formatNumber(charged)}`
}
