import { useMemo } from 'react'
import type { Attachment } from '#contract/files.ts'
import type { Model } from '#contract/models.ts'
import type { Message } from '#contract/threads.ts'
import { useProfile } from '#web/features/users/queries.ts'
import { useEnterSends } from '#web/lib/enter-setting.ts'
import { formatNumber, formatSymbols } from '#web/lib/format.ts'
import { type Added, estimate, historySizes } from './estimate.ts'
import { isTouch } from './focus-composer.ts'

interface EstimateProps {
  text: string
  files: Attachment[]
  history: Message[]
  model: Model | null
  added: Added | null
}

/** The price of the current draft. The history is counted only when it changes. */
export function useEstimate({ text, files, history, model, added }: EstimateProps) {
  const { data: profile } = useProfile()
  const settings = profile?.Settings
  const sizes = useMemo(
    () => (settings && model ? historySizes(history, settings, model) : []),
    [history, settings, model],
  )
  const available = profile?.SingleSubscription.availableTokens
  if (!model || available === undefined) return null
  return { ...estimate(sizes, text, files, model, added), available }
}

interface EstimateLineProps {
  isEmpty: boolean
  symbols: number
  available: number
  added: Added | null
  /** An image has a fixed price. */
  isPicture: boolean
}

/** «Вопрос ≈ 1 240 символов · останется 58 760». The length of the answer is not known in advance. */
export function EstimateLine({ isEmpty, symbols, available, added, isPicture }: EstimateLineProps) {
  if (isEmpty) return added && !isPicture ? <AddedHint added={added} /> : <EnterHint />
  const isMost = added !== null && added.passages > 0
  const what = isPicture ? 'Изображение ·' : isMost ? 'Вопрос до' : 'Вопрос ≈'
  if (symbols > available)
    return (
      <span className="text-warning">
        {what} {formatSymbols(symbols)}, а на балансе {formatNumber(available)}
      </span>
    )
  return (
    <span title={isPicture ? undefined : 'Цена вопроса. Ответ добавит свою: его длину заранее не знает никто.'}>
      {what} {formatSymbols(symbols)} · останется {formatNumber(available - symbols)}
    </span>
  )
}

/** «К вопросу добавятся инструкции 1 200 + выдержки из файлов до 12 000 символов». */
function AddedHint({ added: { instructions, passages } }: { added: Added }) {
  const parts = [
    instructions > 0 && `инструкции ${formatNumber(instructions)}`,
    passages > 0 && `выдержки из файлов до ${formatNumber(passages)}`,
  ].filter(Boolean)
  if (parts.length === 0) return <EnterHint />
  return <span>К вопросу добавятся {parts.join(' + ')} символов</span>
}

function EnterHint() {
  const enterSends = useEnterSends()
  if (isTouch()) return null
  const [send, line] = enterSends ? ['Enter', 'Shift + Enter'] : ['Shift + Enter', 'Enter']
  return (
    <span className="max-frame:hidden">
      {send} — отправить, {line} — новая строка
    </span>
  )
}
