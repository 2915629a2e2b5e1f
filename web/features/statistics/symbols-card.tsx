import type { Statistics } from '#contract/statistics.ts'
import type { TransactionKind } from '#contract/transactions.ts'
import { formatDateTime, formatNumber, formatSymbols } from '#web/lib/format.ts'
import { Card } from '#web/ui/card.tsx'
import { deltaOf } from './figure.ts'
import { DeltaLine, FigureHint, Sums } from './figure-labels.tsx'

const kinds: Record<TransactionKind, string> = {
  plan: 'Начислено по подписке',
  bundle: 'Начислено с пакетами',
  promo: 'Начислено по промокодам',
  gift: 'Подарено',
  refund: 'Возвращено людям',
  answer: 'Потрачено на ответы',
  translate: 'Потрачено на вопросы без чата',
  summary: 'Потрачено на сжатие чатов',
  image: 'Потрачено на картинки',
  transcription: 'Потрачено на расшифровки',
  minutes: 'Потрачено на протоколы и письма по записям',
  indexing: 'Потрачено на чтение файлов',
  scan: 'Потрачено на чтение сканов',
  balance: 'Списано другими программами',
  expiry: 'Сгорело',
  take_back: 'Забрано',
  chargeback: 'Забрано после отзыва платежа',
  other: 'Прочее',
}
const owedKinds = {
  plan: 'По подписке',
  bundle: 'Из пакетов',
  promo: 'По промокодам',
  gift: 'Подаренные',
  refund: 'Возвращённые',
  other: 'Прочие',
} as const

const lineStyle = 'flex items-start justify-between gap-3 py-2 last:pb-0'

export function SymbolMoves({ symbols }: Pick<Statistics, 'symbols'>) {
  const moved = symbols.filter(({ now, before }) => now !== 0 || before !== 0).sort((a, b) => b.now - a.now)
  return (
    <Card className="break-inside-avoid p-4!">
      <h3 className="font-medium">Движение символов</h3>
      {moved.length === 0 && <p className="mt-2 text-sm text-muted">Балансы не менялись.</p>}
      <dl className="mt-2 divide-y">
        {moved.map(({ kind, now, before }) => (
          <div key={kind} className={lineStyle}>
            <dt className="text-sm text-muted">{kinds[kind]}</dt>
            <dd className="flex shrink-0 flex-col items-end text-right whitespace-nowrap">
              <span className="figures font-medium">{formatNumber(Math.abs(now))}</span>
              <DeltaLine delta={deltaOf({ now: Math.abs(now), before: Math.abs(before) })} better={null} />
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

/** Unspent symbols on balances: services still owed. */
export function Owed({ owed }: Pick<Statistics, 'owed'>) {
  const total = owed.grants.reduce((sum, { symbols }) => sum + symbols, 0)
  return (
    <Card className="break-inside-avoid p-4!">
      <h3 className="flex items-center gap-1.5 font-medium">
        Не потрачено: {formatSymbols(total)}
        <FigureHint name="owed" />
      </h3>
      <p className="text-[13px] text-muted">На {formatDateTime(owed.at)}, не зависит от периода</p>
      <dl className="mt-2 divide-y">
        {owed.grants.map(({ kind, people, symbols, worth }) => (
          <div key={kind} className={lineStyle}>
            <dt className="text-sm text-muted">
              {owedKinds[kind]}
              <span className="block text-[13px]">людей: {formatNumber(people)}</span>
            </dt>
            <dd className="figures text-right">
              <span className="font-medium">{formatNumber(symbols)}</span>
              {worth.length > 0 && (
                <span className="block text-[13px] text-muted">
                  <Sums sums={worth} />
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}
