import { useState } from 'react'
import type { SingleSubscription } from '#contract/billing.ts'
import { formatDate, formatDay, formatMoney } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout, ErrorNote } from '#web/ui/callout.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { useCancelSubscription, useKeepPlan } from './payment-queries.ts'
import { PlanChoice } from './plan-choice.tsx'
import { keptUntil } from './plan-terms.ts'
import { Terms } from './terms.tsx'

export function PlanSettings({ balance }: { balance: SingleSubscription }) {
  const [isAgain, setIsAgain] = useState(false)
  const { plan, recurrent, lastPlanId } = balance
  if (plan && recurrent) return <CurrentPlan plan={plan} balance={balance} />
  if (!plan) return <PlanChoice preselectedId={lastPlanId} />
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
        <Ending balance={balance} />
      </Callout>
      {isAgain && <PlanChoice currentPlan={{ id: plan.id, isRenewing: false }} />}
    </div>
  )
}

/** Why the plan ends, and what can be done about it. */
function Ending({ balance: { periodEnd, endReason } }: { balance: SingleSubscription }) {
  const until = periodEnd ? `, символы доступны до ${formatDay(periodEnd)}` : ''
  const counted = periodEnd ? 'Если подписаться снова раньше, оплаченные дни зачтутся.' : ''
  return (
    <>
      {endTexts[endReason ?? 'ended']}
      {until}. Списаний не будет. {counted}
      {endReason === 'unsaved' && (
        <>
          {' '}
          Чтобы она продлилась сама,{' '}
          <TextLink inText href={paths.profile('method')}>
            сохраните способ оплаты
          </TextLink>
          .
        </>
      )}
    </>
  )
}

const endTexts: Record<NonNullable<SingleSubscription['endReason']>, string> = {
  canceled: 'Продление отменено',
  unsaved: 'Сама подписка не продлится, потому что способ оплаты не сохранился',
  once: 'Подписка куплена на один период и сама не продлится',
  ended: 'Подписка больше не продлится',
}

interface CurrentPlanProps {
  plan: NonNullable<SingleSubscription['plan']>
  balance: SingleSubscription
}

function CurrentPlan({ plan, balance: { periodEnd, nextCharge, nextPlan, isDeclined } }: CurrentPlanProps) {
  const [isChanging, setIsChanging] = useState(false)
  return (
    <div className="flex flex-col gap-4">
      <Card className="flex flex-col gap-4">
        <p className="text-lg font-semibold">{plan.name}</p>
        <Terms
          terms={[
            ['Оплачено до', periodEnd && formatDate(periodEnd)],
            ['Следующее списание', nextCharge && `${formatDate(nextCharge.at)}, ${formatMoney(nextCharge)}`],
            ['Продление', 'автоматическое, пока не отмените'],
          ]}
        />
        {isDeclined && nextCharge && (
          <Callout tone="warning" title="Банк отклонил списание">
            Попробуем ещё раз {formatDate(nextCharge.at)}. Проверьте, хватает ли денег, или{' '}
            <TextLink inText href={paths.profile('method')}>
              смените способ оплаты
            </TextLink>
            .
          </Callout>
        )}
        {nextPlan && <ScheduledChange nextPlan={nextPlan} plan={plan} at={nextCharge?.at ?? periodEnd} />}
        <div className="flex flex-wrap gap-2">
          <Button aria-expanded={isChanging} onClick={() => setIsChanging(!isChanging)}>
            {isChanging ? 'Оставить тариф' : 'Сменить тариф'}
          </Button>
          <CancelPlan periodEnd={periodEnd} />
        </div>
      </Card>
      {isChanging && (
        <PlanChoice currentPlan={{ id: plan.id, isRenewing: true }} onScheduled={() => setIsChanging(false)} />
      )}
    </div>
  )
}

interface ScheduledChangeProps {
  plan: CurrentPlanProps['plan']
  nextPlan: CurrentPlanProps['plan']
  at: string | null
}

/** A smaller plan starts at the end of the period; until then the change can be cancelled. */
function ScheduledChange({ plan, nextPlan, at }: ScheduledChangeProps) {
  const keep = useKeepPlan()
  return (
    <Callout
      tone="info"
      title={at ? `С ${formatDate(at)} — тариф «${nextPlan.name}»` : `Дальше — тариф «${nextPlan.name}»`}
      action={
        <Button size="sm" busy={keep.isPending} onClick={() => keep.mutate(undefined)}>
          Оставить «{plan.name}»
        </Button>
      }
    >
      До этого дня действует «{plan.name}», и платить ничего не нужно.
      <ErrorNote text={keep.errors.form} />
    </Callout>
  )
}

/** Takes two clicks; the dialog says what stays until the end of the period. */
function CancelPlan({ periodEnd }: { periodEnd: string | null }) {
  const [isOpen, setIsOpen] = useState(false)
  const cancel = useCancelSubscription()
  return (
    <div>
      <Button onClick={() => setIsOpen(true)}>Отменить подписку</Button>
      <ConfirmDialog
        open={isOpen}
        title="Отменить подписку?"
        cancel="Оставить подписку"
        action="Отменить подписку"
        isDanger
        isBusy={cancel.isPending}
        onAction={() => cancel.mutate(undefined)}
        onClose={() => setIsOpen(false)}
      >
        <ul className="list-disc space-y-1.5 pl-5">
          <li>Деньги больше не спишутся.</li>
          <li>{keptUntil(periodEnd)}</li>
          <li>Купленные пакеты остаются без срока, чаты и файлы тоже никуда не денутся.</li>
          <li>Подписаться снова можно {periodEnd ? `и до ${formatDay(periodEnd)}, и после` : 'когда угодно'}.</li>
        </ul>
        <ErrorNote text={cancel.errors.form} />
      </ConfirmDialog>
    </div>
  )
}
