import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ModelDraft } from '#contract/models-admin.ts'
import { allPlansQuery, defaultPlan } from '#web/features/plans/queries.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { classNames } from '#web/lib/class-names.ts'
import { formatMoney, formatNumber, formatSymbols } from '#web/lib/format.ts'
import { readNumber } from '#web/lib/number-input.ts'
import { UnitField } from '#web/ui/form/unit-field.tsx'
import { TextLink } from '#web/ui/text-link.tsx'
import { needsRate, type PriceLine, previewPrice } from './price-preview.ts'

const names: Record<PriceLine['what'], string> = {
  output: '1\u202f000 символов ответа стоят',
  input: '1\u202f000 символов вопроса стоят',
  thought: '1\u202f000 символов размышлений стоят',
  cached: '1\u202f000 символов вопроса из кэша стоят',
  image: 'Картинка стоит',
  minute: 'Минута записи стоит',
  page: 'Страница скана стоит',
}

export function PricePreviewNote({ model }: { model: ModelDraft }) {
  const { data: plans } = useQuery(allPlansQuery)
  const plan = defaultPlan(plans ?? [])
  const from = model.costCurrency ?? ''
  const to = plan?.currency ?? ''
  const exchange = useExchange(from, to)
  const lines = previewPrice(model, { plan, rate: exchange.rate })
  if (lines.length === 0) return null
  return (
    <section aria-label="Прикидка цены" className="flex flex-col gap-3 rounded-md bg-panel p-4 text-sm">
      {lines.map((line) => (
        <p key={line.what} className="figures text-pretty">
          {names[line.what]} <PriceLineText line={line} />
        </p>
      ))}
      {needsRate(model, plan) && (
        <div className="max-w-60">
          <UnitField
            label={`Курс для прикидки: 1 ${from}`}
            unit={to}
            placeholder="3,25"
            value={exchange.text}
            onChange={(event) => exchange.type(event.target.value)}
          />
        </div>
      )}
      <p className="text-muted">
        {plan ? (
          <>Символ оценён по тарифу «{plan.name}», токен примерно в три символа. Это прикидка, а не отчёт.</>
        ) : (
          <>
            Чтобы увидеть выручку и маржу, нужен тариф в продаже.{' '}
            <TextLink inText href={adminPaths.plans()}>
              Открыть тарифы
            </TextLink>
          </>
        )}
      </p>
    </section>
  )
}

function PriceLineText({ line: { symbols, revenue, cost, margin } }: { line: PriceLine }) {
  return (
    <>
      <strong className="font-semibold">{formatSymbols(symbols)}</strong>
      {revenue && <>, это {formatMoney(revenue)}</>}
      {cost && <>, себестоимость {formatMoney(cost)}</>}
      {margin && (
        <>
          , маржа{' '}
          <strong className={classNames('font-semibold', margin.money.amount < 0 ? 'text-danger' : 'text-success')}>
            {formatMoney(margin.money)}
            {margin.share !== null && ` (${formatNumber(Math.round(margin.share * 100))}\u00a0%)`}
          </strong>
        </>
      )}
      .
    </>
  )
}

const keyOf = (from: string, to: string) => `exchange:${from}:${to}`

/** The typed exchange rate for the preview, remembered in this browser. */
function useExchange(from: string, to: string) {
  const key = keyOf(from, to)
  const [typed, setTyped] = useState<Record<string, string>>({})
  const text = typed[key] ?? readRate(key)
  const rate = readNumber(text)
  return {
    text,
    rate: Number.isNaN(rate) ? null : rate,
    type: (next: string) => {
      setTyped((now) => ({ ...now, [key]: next }))
      saveRate(key, next)
    },
  }
}

/** Storage may be unavailable; the rate then lasts as long as the page. */
function readRate(key: string): string {
  try {
    return localStorage.getItem(key) ?? ''
  } catch {
    return ''
  }
}

function saveRate(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch {
    return
  }
}
