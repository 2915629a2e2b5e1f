import { useState } from 'react'
import type { Plan } from '#contract/plans.ts'
import { formatDate, formatMoney, formatSymbols } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { PaymentErrorNote } from './payment-error.tsx'
import { useSubscribe } from './payment-queries.ts'
import { consentText, every, firstRenewal, per, priceOf } from './plan-terms.ts'
import { Terms } from './terms.tsx'

/** Shows all terms of the subscription before the payment page. */
export function PlanCheckout({ plan }: { plan: Plan }) {
  const subscribe = useSubscribe()
  const [promocode, setPromocode] = useState<string | null>(null)
  const [isAgreed, setIsAgreed] = useState(false)
  const [isAsked, setIsAsked] = useState(false)
  const isCodeRefused = subscribe.rejection === 'code'
  const isNotSetUp = subscribe.rejection === 'not-set-up'
  const price = formatMoney(priceOf(plan))

  function submit() {
    setIsAsked(true)
    if (isAgreed) subscribe.mutate({ planId: plan.id, promocode: promocode?.trim() ?? '' })
  }

  return (
    <Card>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Terms
          terms={[
            ['Сейчас', `${price} ${per(plan.intervalDays)}, ${formatSymbols(plan.symbols)}`],
            ['Следующее списание', `${formatDate(firstRenewal(plan))}, ${price}`],
            ['Продление', `автоматически ${every(plan.intervalDays)}, пока не отмените в два нажатия здесь же`],
            ['Неиспользованные символы', 'сгорают в конце оплаченного периода; символы из пакетов остаются'],
          ]}
        />
        {promocode === null ? (
          <Button variant="ghost" size="sm" className="-ml-3 self-start" onClick={() => setPromocode('')}>
            Есть промокод на скидку
          </Button>
        ) : (
          <TextField
            label="Промокод на скидку"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={100}
            value={promocode}
            onChange={(event) => setPromocode(event.target.value)}
            hint="Скидка действует на первый платёж, следующие по полной цене."
            error={isCodeRefused ? subscribe.errorText : null}
          />
        )}
        <Checkbox
          label={consentText(plan)}
          checked={isAgreed}
          onChange={setIsAgreed}
          error={
            isAsked && !isAgreed ? 'Без согласия подписку не оформить: отметьте его, если условия подходят.' : null
          }
        />
        <PaymentErrorNote isNotSetUp={isNotSetUp} errorText={isCodeRefused ? undefined : subscribe.errorText} />
        {!isNotSetUp && (
          <div className="flex flex-col gap-2">
            <Button
              type="submit"
              variant="primary"
              className="sm:self-start"
              busy={subscribe.leavingWith !== undefined}
            >
              Оформить подписку
            </Button>
            <p className="text-sm text-pretty text-muted">
              Откроется страница bePaid. Номер карты вводится там, к нам он не попадает.{' '}
              <TextLink inText href={paths.help('account/terms')}>
                Условия
              </TextLink>
              {' и '}
              <TextLink inText href={paths.help('money/refunds')}>
                возвраты
              </TextLink>
            </p>
          </div>
        )}
      </form>
    </Card>
  )
}
