import { useQuery } from '@tanstack/react-query'
import type { Grant } from '#contract/billing.ts'
import { formatDay, formatNumber } from '#web/lib/format.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { grantsQuery } from './queries.ts'
import { QueryError } from './query-error.tsx'

const names: Record<Grant['kind'], string> = {
  plan: 'Подписка',
  bundle: 'Пакет символов',
  promo: 'Промокод',
  gift: 'Подарок',
  refund: 'Возврат',
}

/** The grants that make up the balance, in spending order. */
export function GrantList() {
  const grants = useQuery(grantsQuery)
  if (grants.isError) return <QueryError query={grants} />
  if (!grants.data) return <Skeleton className="h-16" />
  if (grants.data.length === 0) return null
  return (
    <div className="border-t pt-4">
      <h3 className="text-sm font-medium">Из чего складывается</h3>
      <ul className="mt-2">
        {[...grants.data].sort(bySpending).map((grant) => (
          <GrantRow key={grant.id} grant={grant} />
        ))}
      </ul>
    </div>
  )
}

function GrantRow({ grant: { kind, note, remaining, symbols, expiresAt } }: { grant: Grant }) {
  return (
    <li className="flex items-baseline justify-between gap-4 border-b py-2 last:border-0 last:pb-0">
      <span className="min-w-0">
        <span className="block">{names[kind]}</span>
        {note && <span className="block text-sm text-muted wrap-anywhere">{note}</span>}
      </span>
      <span className="figures shrink-0 text-right">
        <span className="block">
          {formatNumber(remaining)} <span className="text-muted">из {formatNumber(symbols)}</span>
        </span>
        <span className="block text-sm text-muted">{expiresAt ? `до ${formatDay(expiresAt)}` : 'без срока'}</span>
      </span>
    </li>
  )
}

/** Grants that expire first are spent first, then the oldest. */
function bySpending(a: Grant, b: Grant): number {
  if (a.expiresAt !== b.expiresAt) return (a.expiresAt ?? '9').localeCompare(b.expiresAt ?? '9')
  return a.createdAt.localeCompare(b.createdAt)
}
