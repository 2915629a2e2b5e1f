import { useQuery } from '@tanstack/react-query'
import { price } from '#contract/billing.ts'
import type { Model, Thinking } from '#contract/models.ts'
import type { Profile } from '#contract/users.ts'
import { WEB_SYMBOLS } from '#contract/web-search.ts'
import { usualCostsQuery } from '#web/features/models/queries.ts'
import { paths } from '#web/lib/paths.ts'
import { TextLink } from '#web/ui/text-link.tsx'
import { type Added, type Estimate, thoughtPrice } from './estimate.ts'
import { priceLine, webPrice } from './price-line.ts'

export interface EstimateLineProps {
  isEmpty: boolean
  cost: Estimate
  model: Model
  added: Added | null
  thinking: Thinking
  /** A search or pages of the message are wanted; `search` is the price of the search itself. */
  web?: { search: number } | null
}

export function EstimatedPrice(props: EstimateLineProps & { profile: Profile }) {
  const { isEmpty, cost, model, added, thinking, web = null, profile } = props
  const isPicture = model.kind === 'image'
  const { data: usualCosts } = useQuery({ ...usualCostsQuery, enabled: !isEmpty && !isPicture })
  const pages = price(WEB_SYMBOLS, 0, model)
  if (isEmpty) return web && <span>Добавится к вопросу: {webPrice({ ...web, pages })}</span>
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
