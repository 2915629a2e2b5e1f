import { useQueries, useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { deviceOf } from '#contract/device-name.ts'
import type { Answer } from '#contract/endpoint.ts'
import { type PayMethod, paymentsApi, type SavedMethod } from '#contract/payments.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { Callout } from '#web/ui/callout.tsx'
import { bundlesQuery, plansQuery } from './queries.ts'

const OPTIONS_MS = 5 * 60_000

export const PAY_OPTIONS = 'pay-options'

export const payOptionsQuery = (currency: string) =>
  callQuery([PAY_OPTIONS, currency], paymentsApi.options, { query: { currency } }, { staleTime: OPTIONS_MS })

/** Until they are known, the payer chooses on the payment page. */
export const unknownOptions: Answer<typeof paymentsApi.options> = {
  ...{ isOn: true, methods: [], once: [], isOnce: false, isPretence: false },
}

export const usePayOptions = (currency: string) => useQuery(payOptionsQuery(currency)).data ?? unknownOptions

export const methodLabels: Record<SavedMethod['kind'], string> = {
  bank_card: 'Банковская карта',
  sbp: 'СБП',
  sberbank: 'SberPay',
  tinkoff_bank: 'T-Pay',
  yoo_money: 'ЮMoney',
  other: 'Сохранённый способ',
}

export const isHandheld = () => deviceOf(navigator.userAgent).isHandheld

/** What happens when it is chosen. */
export function methodHint(method: PayMethod | undefined): string {
  if (method !== 'sbp') return 'Откроется страница платёжной системы. Номер карты вводится там, к нам он не попадает.'
  return isHandheld()
    ? 'Откроется приложение вашего банка, останется подтвердить платёж.'
    : 'Покажем QR-код: наведите на него камеру телефона и подтвердите платёж в приложении банка.'
}

interface MethodChoiceProps {
  methods: readonly PayMethod[]
  value: PayMethod | undefined
  onChange: (method: PayMethod) => void
}

/** Nothing where there is no choice. */
export function MethodChoice({ methods, value, onChange }: MethodChoiceProps) {
  const name = useId()
  if (methods.length < 2) return null
  return (
    <fieldset>
      <legend className="mb-2 font-medium">Чем заплатить</legend>
      <div className="flex flex-wrap gap-2">
        {methods.map((method) => (
          <label
            key={method}
            className="flex min-h-11 items-center gap-2.5 rounded-md border border-line-strong bg-surface px-4 transition-colors hover:bg-hover has-checked:border-accent-ink has-checked:bg-accent-soft has-focus-visible:ring-focus"
          >
            <input
              type="radio"
              name={name}
              checked={method === value}
              onChange={() => onChange(method)}
              className="size-5 shrink-0 accent-accent outline-none"
            />
            {methodLabels[method]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Once on a page, above everything that is bought there. */
export function PretenceNote() {
  const plans = useQuery(plansQuery).data ?? []
  const bundles = useQuery(bundlesQuery).data ?? []
  const currencies = [...new Set([...plans, ...bundles].map(({ currency }) => currency))]
  const options = useQueries({ queries: currencies.map(payOptionsQuery) })
  if (!options.some(({ data }) => data?.isPretence)) return null
  return (
    <Callout tone="warning" title="Тестовая оплата">
      Этот сервер показывает покупку без настоящей платёжной системы: деньги не списываются, карту вводить не нужно.
    </Callout>
  )
}
