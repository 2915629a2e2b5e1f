import { lowBalanceShare, type SingleSubscription } from '#contract/billing.ts'
import { useProfile } from '#web/features/users/queries.ts'
import { classNames } from '#web/lib/class-names.ts'
import { formatShort, formatSymbols } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Gauge } from '#web/ui/icons.ts'
import { Link } from '#web/ui/link.tsx'
import { Meter, type MeterTone } from '#web/ui/meter.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const colours: Record<MeterTone, string> = {
  neutral: 'text-muted hover:text-ink',
  warning: 'text-warning',
  danger: 'text-danger',
}

export function Balance({ isCompact }: { isCompact: boolean }) {
  const { data: profile } = useProfile()
  if (!profile) return <Skeleton className={isCompact ? 'mx-auto size-10' : 'h-11'} />

  const balance = profile.SingleSubscription
  const text = formatSymbols(balance.availableTokens)
  const tone = balanceTone(balance)
  return (
    <Link
      href={paths.profile()}
      title={isCompact ? text : undefined}
      className={classNames(
        'rounded-md transition-colors hover:bg-hover',
        isCompact ? 'mx-auto grid size-10 place-items-center' : 'px-2.5 py-2',
        colours[tone],
      )}
    >
      {isCompact && <Gauge size={20} strokeWidth={1.8} />}
      <span className={isCompact ? 'sr-only' : 'figures block text-sm'}>{text}</span>
      {!isCompact && <Meter share={balanceShare(balance)} tone={tone} className="mt-1.5 h-0.5" />}
    </Link>
  )
}

/** The balance in the bar of a phone, a large one shortened. Beside a title, which needs the room, only a low one. */
export function MobileBarBalance() {
  const { data: profile } = useProfile()
  if (!profile) return null
  const { availableTokens } = profile.SingleSubscription
  const tone = balanceTone(profile.SingleSubscription)
  return (
    <Link
      href={paths.profile()}
      title={formatSymbols(availableTokens)}
      className={classNames(
        tone === 'neutral' ? 'peer-[&:not(:empty)]:hidden' : 'peer-has-[input]:hidden',
        'figures inline-flex h-11 min-w-11 shrink-0 items-center justify-center rounded-md px-1.5 text-sm whitespace-nowrap',
        colours[tone],
      )}
    >
      <span className="sr-only">Баланс: </span>
      {formatShort(availableTokens)}&nbsp;симв.
    </Link>
  )
}

type Level = Pick<SingleSubscription, 'availableTokens' | 'capacity'>

export function balanceTone(balance: Level): MeterTone {
  const warning = lowBalanceShare(balance)
  if (balance.availableTokens <= 0 || warning === 0.05) return 'danger'
  return warning === 0.2 ? 'warning' : 'neutral'
}

export function balanceShare({ availableTokens, capacity }: Level): number {
  return capacity > 0 ? Math.min(availableTokens / capacity, 1) : 0
}
