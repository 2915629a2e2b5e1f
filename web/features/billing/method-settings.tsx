import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import type { SingleSubscription } from '#contract/billing.ts'
import type { Answer } from '#contract/endpoint.ts'
import type { paymentsApi, SavedMethod } from '#contract/payments.ts'
import { formatDate, formatMoney } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout, ErrorNote } from '#web/ui/callout.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { methodLabels, usePayOptions } from './pay-methods.tsx'
import { methodQuery, useBindMethod, useRemoveCard } from './payment-queries.ts'
import { PlanChangeCheckout } from './plan-change.tsx'
import { keptUntil } from './plan-terms.ts'
import { SbpCode } from './sbp-code.tsx'

type MethodState = Answer<typeof paymentsApi.method>

/** What is saved for renewals: how to change it, without a payment where that is possible, and how to remove it. */
export function MethodSettings({ balance }: { balance: SingleSubscription }) {
  const found = useQuery(methodQuery)
  const [isChanging, setIsChanging] = useState(false)
  if (found.isError) return <QueryError query={found} />
  if (!found.data) return <Skeleton className="h-24" />
  const { method, canBindTo } = found.data
  return (
    <div className="flex flex-col gap-4">
      {!isChanging && <ReturnNote {...found.data} />}
      {method ? (
        <Saved
          method={method}
          canBindTo={canBindTo}
          balance={balance}
          isChanging={isChanging}
          onChanging={setIsChanging}
        />
      ) : (
        <NothingSaved canBindTo={canBindTo} balance={balance} />
      )}
    </div>
  )
}

/** A plan that has nothing to charge can still be given a method. */
function NothingSaved({ canBindTo, balance }: Pick<MethodState, 'canBindTo'> & { balance: SingleSubscription }) {
  const { endReason, plan, price, periodEnd } = balance
  if (endReason !== 'unsaved' || !plan)
    return (
      <p className="text-pretty text-muted">
        Ничего не сохранено. Способ оплаты сохраняется, когда вы оформляете подписку с продлением; пакеты покупаются без
        этого.
      </p>
    )
  if (canBindTo.length === 0 || !price || !periodEnd)
    return (
      <p className="text-pretty text-muted">
        Ничего не сохранено, и сохранить сейчас нечем: этого не разрешает платёжная система. Подписка «{plan.name}» сама
        не продлится.
      </p>
    )
  return (
    <Card className="flex flex-col gap-4">
      <NewMethod kinds={canBindTo} currency={price.currency} onDone={() => {}}>
        При оплате способ не сохранился, поэтому подписка «{plan.name}» сама не продлится. Сохраните его, и она
        продлится, как вы согласились при покупке: {formatDate(periodEnd)} спишется {formatMoney(price)}. Сейчас деньги
        не списываются: банк только попросит подтвердить.
      </NewMethod>
    </Card>
  )
}

/** The bank leads back to /profile?method=ID. */
function ReturnNote({ method, isConfirming }: MethodState) {
  const [, navigate] = useLocation()
  const isReturned = new URLSearchParams(useSearch()).has('method')
  if (!isReturned && !isConfirming) return null
  if (isConfirming)
    return (
      <div role="status">
        <Callout tone="info" title="Ждём, пока банк подтвердит новый способ">
          Обычно это занимает несколько секунд.
          {method &&
            ` Пока действует прежний: ${nameOf(method)}. Если вы ничего не подтвердили, нажмите «Сменить» и начните заново.`}
        </Callout>
      </div>
    )
  const isNew = method && Date.now() - Date.parse(method.savedAt) < JUST_SAVED_MS
  return (
    <div role="status">
      <Callout
        tone={isNew ? 'success' : 'warning'}
        title={isNew ? `Сохранено: ${nameOf(method)}` : 'Новый способ не сохранён'}
        action={
          <Button size="sm" onClick={() => navigate(paths.profile('method'), { replace: true })}>
            Закрыть
          </Button>
        }
      >
        {isNew ? 'Когда подписка продлится, деньги спишутся с него.' : 'Банк его не подтвердил. Всё осталось как было.'}
      </Callout>
    </div>
  )
}

/** A method has to be confirmed within the hour. */
const JUST_SAVED_MS = 3_600_000

/** Gateways spell them differently. */
const brands: Record<string, string> = {
  ...{ mir: 'Мир', visa: 'Visa', master: 'Mastercard', mastercard: 'Mastercard', belkart: 'Белкарт' },
}

function nameOf({ kind, brand, last4 }: SavedMethod): string {
  const name = [methodLabels[kind], brand && (brands[brand.toLowerCase()] ?? brand)].filter(Boolean).join(' ')
  return last4 ? `${name} ••••\u00a0${last4}` : name
}

interface SavedProps extends Pick<MethodState, 'canBindTo'> {
  method: SavedMethod
  balance: SingleSubscription
  isChanging: boolean
  onChanging: (isChanging: boolean) => void
}

function Saved({ method, canBindTo, balance, isChanging, onChanging }: SavedProps) {
  const { plan, recurrent, nextCharge } = balance
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <p className="figures font-medium">{nameOf(method)}</p>
          <p className="text-sm text-pretty text-muted">
            {recurrent && nextCharge
              ? `Следующее списание ${formatDate(nextCharge.at)}, ${formatMoney(nextCharge)}`
              : 'Списаний не будет: подписка не продлевается'}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          {recurrent && (
            <Button aria-expanded={isChanging} onClick={() => onChanging(!isChanging)}>
              {isChanging ? 'Не менять' : 'Сменить'}
            </Button>
          )}
          <RemoveMethod method={method} balance={balance} />
        </div>
      </div>
      {isChanging && canBindTo.length > 0 && (
        <div className="border-t pt-4">
          <NewMethod kinds={canBindTo} currency={nextCharge?.currency ?? ''} onDone={() => onChanging(false)}>
            На что сменить? Деньги не списываются: банк только попросит подтвердить. До этого действует прежний способ.
          </NewMethod>
        </div>
      )}
      {isChanging && canBindTo.length === 0 && plan && <NewCard planId={plan.id} />}
    </Card>
  )
}

const bindLabels = { bank_card: 'Карта', sbp: 'СБП' }
const rebindLabels = { bank_card: 'Другая карта', sbp: 'СБП' }

interface NewMethodProps {
  kinds: MethodState['canBindTo']
  currency: string
  onDone: () => void
  /** What is asked, and what happens then. */
  children: ReactNode
}

/** Nothing is charged: the payer only confirms the new method at the bank. */
function NewMethod({ kinds, currency, onDone, children }: NewMethodProps) {
  const bind = useBindMethod()
  const method = useQuery(methodQuery)
  const { isPretence } = usePayOptions(currency)
  const qr = bind.data?.qr
  if (qr)
    return (
      <SbpCode
        qr={qr}
        title="Сохранить счёт по СБП"
        action="разрешите списания"
        done="Я подтвердил, проверить"
        notYet="Банк ещё не подтвердил. Мы продолжаем проверять, страницу можно закрыть."
        isPretence={isPretence}
        onCheck={async () => {
          const isOver = (await method.refetch()).data?.isConfirming === false
          if (isOver) onDone()
          return isOver
        }}
      />
    )
  return (
    <div className="flex flex-col gap-3">
      <p className="text-pretty">{children}</p>
      <div className="flex flex-wrap gap-2">
        {kinds.map((kind) => (
          <Button
            key={kind}
            busy={bind.isPending && bind.variables === kind}
            disabled={bind.isPending}
            onClick={() => bind.mutate(kind)}
          >
            {(method.data?.method ? rebindLabels : bindLabels)[kind]}
          </Button>
        ))}
      </div>
      <ErrorNote text={bind.errors.form} />
    </div>
  )
}

/** bePaid cannot change the card of a running subscription, so the plan starts anew. */
function NewCard({ planId }: { planId: string }) {
  return (
    <div className="flex flex-col gap-3 border-t pt-4">
      <p className="text-pretty text-muted">
        Заменить карту у действующей подписки платёжная система не умеет, поэтому тариф начнётся заново с новой карты.
        Платить нужно только за прошедшие дни, символов прибавится за них же.
      </p>
      <PlanChangeCheckout planId={planId} reason="card" onScheduled={() => {}} />
    </div>
  )
}

function RemoveMethod({ method, balance }: { method: SavedMethod; balance: SingleSubscription }) {
  const [isOpen, setIsOpen] = useState(false)
  const remove = useRemoveCard()
  const { recurrent, periodEnd, plan } = balance
  return (
    <>
      <Button variant="ghost" onClick={() => setIsOpen(true)}>
        Отвязать
      </Button>
      <ConfirmDialog
        open={isOpen}
        title={`Отвязать: ${nameOf(method)}?`}
        cancel="Оставить"
        action="Отвязать"
        isDanger
        isBusy={remove.isPending}
        onAction={() => remove.mutate(undefined)}
        onClose={() => setIsOpen(false)}
      >
        <ul className="list-disc space-y-1.5 pl-5">
          {recurrent && plan && <li>Подписка «{plan.name}» не продлится, деньги больше не спишутся.</li>}
          <li>Мы сотрём всё, чем можно списать деньги. Останется запись о том, что вы отвязали этот способ.</li>
          {recurrent && <li>{keptUntil(periodEnd)}</li>}
        </ul>
        <ErrorNote text={remove.errors.form} />
      </ConfirmDialog>
    </>
  )
}
