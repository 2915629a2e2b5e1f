import { useState } from 'react'
import { spendableSymbols } from '#contract/billing.ts'
import type { Model } from '#contract/models.ts'
import { type SummaryPlan, summaryPrice } from '#contract/summaries.ts'
import { useProfile } from '#web/features/users/queries.ts'
import { withPrice } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { FoldVertical, X } from '#web/ui/icons.ts'
import { TextLink } from '#web/ui/text-link.tsx'
import { promptCapacity } from '../composer/estimate.ts'
import { useBuySummary } from './queries.ts'
import { offerText, priceText } from './summary-labels.ts'

/** The size of the history when the offer of a chat was dismissed; the offer returns when it has grown by half. */
const putAway = new Map<string, number>()
const GROWN = 1.5

interface SummaryOfferProps {
  threadId: string
  plan: SummaryPlan
  model: Model
}

export function SummaryOffer({ threadId, plan, model }: SummaryOfferProps) {
  const make = useBuySummary(threadId)
  const balance = useProfile().data?.SingleSubscription
  const [, setPutAway] = useState(0)
  const cost = summaryPrice(plan, model)
  const isShort = balance !== undefined && cost.low > spendableSymbols(balance)
  if (plan.before < (putAway.get(threadId) ?? 0) * GROWN) return null
  return (
    <section
      aria-label="Длинная история"
      className="mb-2 flex animate-[appear_140ms_ease-out] flex-wrap items-center gap-x-3 gap-y-1.5 rounded-md border bg-panel py-2 pr-2 pl-4 text-sm"
    >
      <p className="figures min-w-0 flex-1 basis-64 text-pretty">
        {offerText(plan, model, promptCapacity(model))}{' '}
        <span className="text-muted">
          {priceText(cost)}{' '}
          <TextLink inText href={paths.help('chat/long-chats')}>
            Подробнее
          </TextLink>
        </span>
      </p>
      <div className="ml-auto flex items-center gap-1">
        {isShort ? (
          <TextLink href={paths.profile('bundles')}>Пополнить баланс</TextLink>
        ) : (
          <Button
            size="sm"
            icon={<FoldVertical size={16} />}
            busy={make.isPending}
            onClick={() => void make.start({ most: cost.high })}
          >
            {withPrice('Сжать', cost.high, 'most')}
          </Button>
        )}
        <Button
          size="sm"
          variant="ghost"
          aria-label="Не сейчас"
          title="Не сейчас"
          icon={<X size={16} />}
          onClick={() => {
            putAway.set(threadId, plan.before)
            setPutAway(plan.before)
          }}
        />
      </div>
    </section>
  )
}
