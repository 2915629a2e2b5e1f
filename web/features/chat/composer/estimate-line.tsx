import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { countSymbols, price } from '#contract/billing.ts'
import type { Attachment } from '#contract/files.ts'
import type { Model, Thinking } from '#contract/models.ts'
import type { Message } from '#contract/threads.ts'
import { personalInstructions } from '#contract/users.ts'
import { WEB_SYMBOLS } from '#contract/web-search.ts'
import { usualCostsQuery } from '#web/features/models/queries.ts'
import { useProfile } from '#web/features/users/queries.ts'
import { useEnterSends } from '#web/lib/enter-setting.ts'
import { formatSymbols, upToSymbols } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { TextLink } from '#web/ui/text-link.tsx'
import { type Added, type Estimate, estimate, historySizes, thoughtPrice } from './estimate.ts'
import { priceLine, webPrice } from './price-line.ts'

interface EstimateProps {
  text: string
  files: Attachment[]
  history: Message[]
  model: Model | null
  added: Added | null
  /** Symbols of the summary before the history. */
  summary: number
}

/** The price of the current draft. The history is counted only when it changes. */
export function useEstimate({ text, files, history, model, added, summary }: EstimateProps): Estimate | null {
  const { data: profile } = useProfile()
  const settings = profile?.Settings
  const sizes = useMemo(
    () => (settings && model ? historySizes(history, settings, model) : []),
    [history, settings, model],
  )
  const personal = useMemo(() => (settings ? countSymbols(personalInstructions(settings)) : 0), [settings])
  if (!model || !profile) return null
  return estimate(sizes, text, files, model, added, personal, summary)
}

interface EstimateLineProps {
  isEmpty: boolean
  cost: Estimate
  model: Model
  added: Added | null
  thinking: Thinking
  /** A search or pages of the message are wanted; `search` is the price of the search itself. */
  web?: { search: number } | null
}

/** What the question and its answer will cost, and where to get more symbols when they will not be enough. */
export function EstimateLine({ isEmpty, cost, model, added, thinking, web = null }: EstimateLineProps) {
  const { data: profile } = useProfile()
  const isPicture = model.kind === 'image'
  // Loaded when typing begins, not with the page.
  const { data: usualCosts } = useQuery({ ...usualCostsQuery, enabled: !isEmpty && !isPicture })
  const pages = price(WEB_SYMBOLS, 0, model)
  if (isEmpty && web && !isPicture) return <span>Добавится к вопросу: {webPrice({ ...web, pages })}</span>
  if (isEmpty || !profile) return added && !isPicture ? <AddedHint added={added} /> : <FieldHint />
  const answer = usualCosts?.find(({ modelId }) => modelId === model.id)?.answer
  const { text, more, short } = priceLine({
    ...cost,
    added,
    web: web && { ...web, pages },
    usual: answer ? { low: price(0, answer.low, model), high: price(0, answer.high, model) } : null,
    thought: isPicture ? null : thoughtPrice(model, thinking),
    balance: profile.SingleSubscription,
    isPicture,
  })
  if (short)
    return (
      <span className="text-warning">
        {text}{' '}
        <TextLink inText href={paths.profile(short === 'daily-cap' ? 'balance' : 'bundles')}>
          {short === 'daily-cap' ? 'Изменить дневной предел' : 'Пополнить'}
        </TextLink>
      </span>
    )
  return (
    <span>
      {text}
      {more && <span className="max-frame:hidden"> · {more}</span>}
    </span>
  )
}

/** «К вопросу добавится до 1 042 символов: инструкции и выдержки из файлов» */
function AddedHint({ added: { instructions, passages } }: { added: Added }) {
  if (instructions + passages === 0) return <FieldHint />
  const what = [instructions > 0 && 'инструкции', passages > 0 && 'выдержки из файлов'].filter(Boolean).join(' и ')
  return (
    <span>
      К вопросу добавится {passages > 0 ? upToSymbols(instructions + passages) : formatSymbols(instructions)}: {what}
    </span>
  )
}

/** The keys of the field; on a touch screen Enter only begins a new line. */
export function FieldHint() {
  const enterSends = useEnterSends()
  const [send, line] = enterSends ? ['Enter', 'Shift + Enter'] : ['Shift + Enter', 'Enter']
  return (
    <>
      <span className="max-frame:hidden pointer-coarse:hidden">
        {send} — отправить, {line} — новая строка
      </span>
      <span className="max-frame:hidden pointer-coarse:hidden"> · </span>
      <span>/ — промпты, @ — ассистенты</span>
    </>
  )
}
