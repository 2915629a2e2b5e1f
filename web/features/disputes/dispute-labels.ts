import type { Dispute, DisputeDetails } from '#contract/disputes.ts'
import type { MessageStatus } from '#contract/threads.ts'
import type { DisputeStatus } from '#contract/transactions.ts'
import { formatNumber, formatSymbols, plural } from '#web/lib/format.ts'
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
  out_of_symbols: 'закончились символы',
}

/** The decision for a table cell: «40 из 100». */
export function outcomeLabel({ status, returned, entry }: Dispute): string | null {
  if (status !== 'returned') return null
  const charged = -entry.symbols
  return returned === charged ? formatNumber(charged) : `${formatNumber(returned ?? 0)} из ${formatNumber(charged)}`
}

/** The parts of the charge, line by line; the rates are left out when unknown. */
export function chargeLines({ entry, parts, messageStatus }: DisputeDetails): [what: string, size: string][] {
  const lines: [string, string][] = []
  if (parts) {
    lines.push(['Вопрос', formatSymbols(parts.question)])
    if (parts.files > 0) lines.push(['Файлы', formatSymbols(parts.files)])
    if (parts.history > 0) lines.push([historyLabel(parts.historyMessages), formatSymbols(parts.history)])
    if (parts.instructions > 0) lines.push(['Инструкции ассистента', formatSymbols(parts.instructions)])
    if (parts.passages > 0) lines.push(['Выдержки из файлов ассистента', formatSymbols(parts.passages)])
    if (parts.project) lines.push(['Инструкции проекта', formatSymbols(parts.project)])
    if (parts.projectPassages) lines.push(['Выдержки из файлов проекта', formatSymbols(parts.projectPassages)])
    if (parts.searchWords) lines.push(['Подбор слов для поиска', formatSymbols(parts.searchWords)])
    if (parts.personal > 0) lines.push(['Инструкции человека', formatSymbols(parts.personal)])
  } else if (entry.input !== null) lines.push(['Вопрос', formatSymbols(entry.input)])
  if (entry.inputRate !== null) lines.push(['Коэффициент вопроса', `× ${formatNumber(entry.inputRate)}`])
  if (entry.cached && entry.cachedRate !== null)
    lines.push(['Из них из кэша', `${formatSymbols(entry.cached)} × ${formatNumber(entry.cachedRate)}`])
  if (entry.thought) lines.push(['Размышления', formatSymbols(entry.thought)])
  if (entry.thought && entry.thoughtRate !== null)
    lines.push(['Коэффициент размышлений', `× ${formatNumber(entry.thoughtRate)}`])
  if (entry.output !== null) lines.push([entry.kind === 'answer' ? 'Ответ' : 'Результат', formatSymbols(entry.output)])
  if (entry.outputRate !== null) lines.push(['Коэффициент ответа', `× ${formatNumber(entry.outputRate)}`])
  if (messageStatus) lines.push(['Состояние ответа', answerEnds[messageStatus]])
  return lines
}

function historyLabel(count: number): string {
  return `История чата, ${formatNumber(count)} ${plural(count, 'сообщение', 'сообщения', 'сообщений')}`
}
