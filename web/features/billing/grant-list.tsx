import type { Grant } from '#contract/billing.ts'
import { formatDay, formatNumber } from '#web/lib/format.ts'

const names: Record<Grant['kind'], string> = {
  plan: 'Подписка',
  bundle: 'Пакет символов',
  promo: 'Промокод',
  gift: 'Подарок',
  refund: 'Возврат',
  other: 'Начисление',
}

interface GrantListProps {
  grants: readonly Grant[]
  /** Shows the date of each grant, for admins. */
  hasDates?: boolean
}

export function GrantList({ grants, hasDates = false }: GrantListProps) {
  if (grants.length === 0) return null
  return (
    <div className="border-t pt-4">
      <h3 className="text-sm font-medium">Состав баланса</h3>
      <ul aria-label="Начисления" className="mt-2">
        {grants.map(({ id, kind, note, remaining, symbols, expiresAt, createdAt }) => (
          <li key={id} className="flex items-baseline justify-between gap-4 border-b py-2 last:border-0 last:pb-0">
            <span className="min-w-0">
              <span className="block">
                {names[kind]} {hasDates && <span className="text-sm text-muted">{formatDay(createdAt)}</span>}
              </span>
              {note && <span className="block text-sm text-muted wrap-anywhere">{note}</span>}
            </span>
            <span className="figures shrink-0 text-right">
              <span className="block">
                {formatNumber(remaining)} <span className="text-muted">из {formatNumber(symbols)}</span>
              </span>
              <span className="block text-sm text-muted">{expiresAt ? `до ${formatDay(expiresAt)}` : 'без срока'}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
