import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { PayMethod } from '#contract/payments.ts'
import { isDocumentPublished } from '#web/lib/page-state.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { MethodChoice, methodHint, payOptionsQuery, unknownOptions } from './pay-methods.tsx'
import { PaymentErrorNote } from './payment-error.tsx'

export interface PlanTermsChoice {
  isAgreed: boolean
  method: PayMethod | undefined
  /** What the shown terms said. */
  renews: boolean
}

interface CheckoutFormProps {
  /** The terms, and what else is filled in. A plan may be sold without renewal, depending on the method. */
  children: (renews: boolean) => ReactNode
  /** The text that has to be agreed to where it renews, and the error without it; null where none is needed. */
  consent: { text: string; missing: string } | null
  isNotSetUp: boolean
  errorText: string | undefined
  isRedirecting: boolean
  label: string | ((renews: boolean) => string)
  currency: string
  /** The button leads to the payment page. */
  isPaidNow: boolean
  onSubmit: (choice: PlanTermsChoice) => void
}

export function CheckoutForm(props: CheckoutFormProps) {
  const { children, errorText, isRedirecting, label, currency, isPaidNow, onSubmit } = props
  const [isAgreed, setIsAgreed] = useState(false)
  const [isSubmitted, setIsSubmitted] = useState(false)
  const [chosen, setChosen] = useState<PayMethod | null>(null)
  const options = useQuery(payOptionsQuery(currency))
  const { isOn, methods, once, isOnce } = options.data ?? unknownOptions
  const method = methods.find((known) => known === chosen) ?? methods[0]
  // A change that happens later is charged by what is saved already.
  const renews = !isPaidNow || (method ? !once.includes(method) : !isOnce)
  const consent = renews ? props.consent : null
  // A press before the methods are known would skip the choice, and perhaps the terms.
  const isNotSetUp = props.isNotSetUp || !isOn
  return (
    <Card>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          setIsSubmitted(true)
          if (isAgreed || !consent) onSubmit({ isAgreed: isAgreed && consent !== null, method, renews })
        }}
      >
        {children(renews)}
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
        {!isNotSetUp && (
          <div className="flex flex-col gap-2">
            <Button
              type="submit"
              variant="primary"
              className="sm:self-start"
              busy={isRedirecting}
              disabled={options.isPending}
            >
              {typeof label === 'string' ? label : label(renews)}
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
