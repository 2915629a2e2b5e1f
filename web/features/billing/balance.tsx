import { Gauge } from 'lucide-react'
import { Link } from 'wouter'
import { useProfile } from '#web/features/users/queries.ts'
import { classNames } from '#web/lib/class-names.ts'
import { formatSymbols } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** What is left, as a way to the profile. The bar is full or empty until the contract says out of how much. */
export function Balance({ compact }: { compact: boolean }) {
  const { data: profile } = useProfile()
  if (!profile) return <Skeleton className={compact ? 'mx-auto size-10' : 'h-11'} />

  const { availableTokens } = profile.SingleSubscription
  const text = formatSymbols(availableTokens)
  const isEmpty = availableTokens <= 0
  return (
    <Link
      href={paths.profile()}
      title={compact ? text : undefined}
      className={classNames(
        'rounded-md transition-colors hover:bg-hover',
        compact ? 'mx-auto grid size-10 place-items-center' : 'px-2.5 py-2',
        isEmpty ? 'text-danger' : 'text-muted hover:text-ink',
      )}
    >
      {compact && <Gauge size={20} strokeWidth={1.8} aria-hidden="true" />}
      <span className={compact ? 'sr-only' : 'figures block text-sm'}>{text}</span>
      {!compact && (
        <span aria-hidden="true" className="mt-1.5 block h-0.5 overflow-hidden rounded-full bg-line">
          {!isEmpty && <span className="block h-full rounded-full bg-accent-ink" />}
        </span>
      )}
    </Link>
  )
}
