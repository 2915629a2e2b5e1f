import type { SingleSubscription } from '#contract/billing.ts'
import { formatDate, formatMoney } from '#web/lib/format.ts'
import { Card } from '#web/ui/card.tsx'
import { CancelPlan } from './cancel-plan.tsx'
import { Terms } from './terms.tsx'

interface CurrentPlanProps {
  plan: NonNullable<SingleSubscription['plan']>
  balance: SingleSubscription
}

export function CurrentPlan({ plan, balance: { periodEnd, nextCharge, card } }: CurrentPlanProps) {
  return (
    <Card className="flex flex-col gap-4">
      <p className="text-lg font-semibold">{plan.name}</p>
      <Terms
        terms={[
          ['Оплачено до', periodEnd && formatDate(periodEnd)],
          ['Следующее списание', nextCharge && `${formatDate(nextCharge.at)}, ${formatMoney(nextCharge)}`],
          ['Продление', 'автоматическое, пока не отмените'],
          ['Карта', card && `${card.brand ?? ''} ···· ${card.last4}`.trim()],
        ]}
      />
      <CancelPlan periodEnd={periodEnd} />
    </Card>
  )
}
