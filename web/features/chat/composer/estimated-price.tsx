import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Model, Thinking } from '#contract/models.ts'
import type { Profile } from '#contract/users.ts'
import { usualCostsQuery } from '#web/features/models/queries.ts'
import { formatSymbols, upToSymbols } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { TextLink } from '#web/ui/text-link.tsx'
import { type AssistantSymbols, type Estimate, thoughtPrice, usualAnswer } from './estimate.ts'
import { priceLine, webText } from './price-line.ts'

export interface EstimateLineProps {
  isEmpty: boolean
  cost: Estimate
  model: Model
  added: AssistantSymbols | null
  thinking: Thinking
  /** The most that search and pages add; null without them. */
  web?: { search: number; pages: number } | null
}

export function EstimatedPrice(props: EstimateLineProps & { profile: Profile }) {
  const { isEmpty, cost, model, added, thinking, web = null, profile } = props
  const isImage = model.kind === 'image'
  const { data: usualCosts } = useQuery({ ...usualCostsQuery, enabled: !isEmpty && !isImage })
  const [isOpen, setOpen] = useState(false)
  if (isEmpty) return web && <span>К вопросу добавится: {webText(web)}</span>
  const { price, rest, parts, short } = priceLine({
    ...cost,
    added,
    web,
    usual: usualAnswer(usualCosts, model),
    thought: isImage ? null : thoughtPrice(model, thinking),
    balance: profile.SingleSubscription,
    isImage,
  })
  const number = parts ? (
    <button
      type="button"
      aria-expanded={isOpen}
      title={parts}
      onClick={() => setOpen(!isOpen)}
      className="rounded-xs underline decoration-dotted underline-offset-3 hover:text-ink"
    >
      {price}
    </button>
  ) : (
    price
  )
  const details = isOpen && parts && (
    <span data-long className="block">
      {parts}
    </span>
  )
  if (short)
    return (
      <>
        <span data-long className="text-warning">
          {number}
          {`, а ${rest} `}
          <TextLink inText href={paths.profile(short === 'daily-cap' ? 'balance' : 'bundles')}>
            {short === 'daily-cap' ? 'Изменить дневной предел' : 'Пополнить'}
          </TextLink>
        </span>
        {details}
      </>
    )
  return (
    <>
      {number}
      {` · ${rest}`}
      {details}
    </>
  )
}

interface AddedHintProps {
  added: AssistantSymbols
  /** The price of what is added. */
  symbols: number
}

/** «К вопросу добавится до 1 042 символов: инструкции и выдержки из файлов» */
export function AddedHint({ added: { instructions, passages, searchWords = 0 }, symbols }: AddedHintProps) {
  const what = [
    instructions > 0 && 'инструкции',
    passages > 0 && 'выдержки из файлов',
    searchWords > 0 && 'подбор слов для поиска',
  ]
    .filter(Boolean)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' и ')
  return (
    <span>
      К вопросу добавится {passages > 0 ? upToSymbols(symbols) : formatSymbols(symbols)}: {what}
    </span>
  )
}
