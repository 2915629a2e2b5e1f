import { type ReactNode, useState } from 'react'
import type { PayMethod } from '#contract/payments.ts'
import { isDocumentPublished } from '#web/lib/page-state.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { MethodChoice, methodHint, PretenceNote, usePayOptions } from './pay-methods.tsx'
import { PaymentErrorNote } from './payment-error.tsx'

interface CheckoutFormProps {
  /** The terms, and what else is filled in. */
  children: ReactNode
  /** The text that has to be agreed to, and the error without it; null where no consent is needed. */
  consent: { text: string; missing: string } | null
  isNotSetUp: boolean
  errorText: string | undefined
  isRedirecting: boolean
  label: string
  currency: string
  /** The button leads to the payment page. */
  isPaidNow: boolean
  onSubmit: (choice: { isAgreed: boolean; method: PayMethod | undefined }) => void
}

export function CheckoutForm(props: CheckoutFormProps) {
  const { children, consent, errorText, isRedirecting, label, currency, isPaidNow, onSubmit } = props
  const [isAgreed, setIsAgreed] = useState(false)
  const [isSubmitted, setIsSubmitted] = useState(false)
  const [chosen, setChosen] = useState<PayMethod | null>(null)
  const { isOn, methods, isPretence } = usePayOptions(currency)
  const method = methods.find((known) => known === chosen) ?? methods[0]
  const isNotSetUp = props.isNotSetUp || !isOn
  return (
    <Card>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          setIsSubmitted(true)
          if (isAgreed || !consent) onSubmit({ isAgreed, method })
        }}
      >
        {children}
        {isPaidNow && !isNotSetUp && <MethodChoice methods={methods} value={method} onChange={setChosen} />}
        {consent && (
          <Checkbox
            label={consent.text}
            checked={isAgreed}
            onChange={setIsAgreed}
            error={isSubmitted && !isAgreed ? consent.missing : null}
          />
        )}
        <PaymentErrorNote isNotSetUp={isNotSetUp} errorText={errorText} />
        {isPretence && isPaidNow && <PretenceNote />}
        {!isNotSetUp && (
          <div className="flex flex-col gap-2">
            <Button type="submit" variant="primary" className="sm:self-start" busy={isRedirecting}>
              {label}
            </Button>
            {isPaidNow && <PayPageNote method={method} />}
          </div>
        )}
      </form>
    </Card>
  )
}

function PayPageNote({ method }: { method: PayMethod | undefined }) {
  return (
    <p className="text-sm text-pretty text-muted">
      {methodHint(method)}{' '}
      <TextLink inText href={isDocumentPublished('offer') ? paths.legal('offer') : paths.help('account/terms')}>
        Условия
      </TextLink>
      {isDocumentPublished('requisites') && (
        <>
          {', '}
          <TextLink inText href={paths.legal('requisites')}>
            реквизиты продавца
          </TextLink>
        </>
      )}
      {' и '}
      <TextLink inText href={paths.help('money/refunds')}>
        возвраты
      </TextLink>
    </p>
  )
}
