import { useState } from 'react'
import type { SingleSubscription } from '#contract/billing.ts'
import { formatDay } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { CurrentPlan } from './current-plan.tsx'
import { PlanChoice } from './plan-choice.tsx'

/** The current subscription, or a link to the plans. */
export function PlanSettings({ balance }: { balance: SingleSubscription }) {
  const [isAgain, setIsAgain] = useState(false)
  const { plan, recurrent, periodEnd } = balance
  if (plan && recurrent) return <CurrentPlan plan={plan} balance={balance} />
  if (!plan) return <PlanChoice />
  return (
    <div className="flex flex-col gap-4">
      <Callout
        tone="info"
        title={plan.name}
        action={
          !isAgain && (
            <Button size="sm" onClick={() => setIsAgain(true)}>
              Подписаться снова
            </Button>
          )
        }
      >
        {periodEnd
          ? `Продление отменено, символы доступны до ${formatDay(periodEnd)}. Больше списаний не будет.`
          : 'Продление отменено. Больше списаний не будет.'}
      </Callout>
      {isAgain && <PlanChoice />}
    </div>
  )
}
