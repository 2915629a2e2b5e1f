import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { lowBalanceShare, type SingleSubscription } from '#contract/billing.ts'
import { useProfile } from '#web/features/users/queries.ts'
import { formatSymbols } from '#web/lib/format.ts'
import { notify } from '#web/lib/notify.ts'
import { paths } from '#web/lib/paths.ts'

const END = 'out-of-symbols'
const LOW = 'low-balance'
/** In localStorage, so that the next visit and other tabs do not warn again. */
const KEY = 'balance-warning'

/** Warns when symbols run low; that they have run out is shown until it is closed, and again at the next update. */
export function useBalanceNotices(): void {
  const [, navigate] = useLocation()
  // An update that changes nothing keeps the same object: only its time is new.
  const { data: profile, dataUpdatedAt: updatedAt } = useProfile()
  const isEndShown = useRef(false)
  /** Apart from it, because pressing the button of the toast resets that and may leave the toast. */
  const hasToast = useRef(false)
  const userId = profile?.id
  const balance = profile?.SingleSubscription

  // biome-ignore lint/correctness/useExhaustiveDependencies: each update is judged, also one that changes nothing
  useEffect(() => {
    if (!userId || !balance) return
    const { notice, shown } = decideNotice({ end: isEndShown.current, warning: readWarning(userId) }, balance)
    if (hasToast.current && !shown.end) {
      notify.close(END)
      hasToast.current = false
    }
    isEndShown.current = shown.end
    localStorage.setItem(KEY, `${userId} ${shown.warning ?? ''}`)
    if (notice === 'end') {
      hasToast.current = true
      toastEnd(topUpAction(balance, navigate), () => (isEndShown.current = false))
    }
    if (notice && notice !== 'end') toastLow(notice, balance, topUpAction(balance, navigate))
  }, [userId, balance, updatedAt, navigate])
}

function readWarning(userId: string): ShownNotices['warning'] {
  const [owner, warning] = localStorage.getItem(KEY)?.split(' ') ?? []
  if (owner !== userId) return null
  return warning === '0.2' ? 0.2 : warning === '0.05' ? 0.05 : null
}

interface TopUpAction {
  label: string
  onClick: () => void
}

/** A subscriber needs more symbols, everyone else a subscription. */
function topUpAction({ recurrent }: SingleSubscription, navigate: (to: string) => void): TopUpAction {
  return recurrent
    ? { label: 'Докупить символы', onClick: () => navigate(paths.profile('bundles')) }
    : { label: 'Оформить подписку', onClick: () => navigate(paths.profile('plan')) }
}

function toastEnd({ label, onClick }: TopUpAction, onClose: () => void) {
  // Loaded with its first use: few installations count visits.
  import('#web/lib/analytics.ts').then(
    ({ track }) => track('Подписка закончилась'),
    () => undefined,
  )
  notify.close(LOW)
  notify.error({
    id: END,
    title: 'Закончились символы в подписке',
    action: {
      label,
      // Clicking the button also closes the notice, but the toast library does not report that.
      onClick: () => {
        onClose()
        onClick()
      },
    },
    onClose,
    isPersistent: true,
  })
}

function toastLow(share: number, { availableTokens }: SingleSubscription, action: TopUpAction) {
  notify.info({
    id: LOW,
    title: `Осталось меньше ${share * 100}\u00a0% символов`,
    description: `На балансе ${formatSymbols(availableTokens)}.`,
    action,
  })
}

type Warning = ReturnType<typeof lowBalanceShare>

export interface ShownNotices {
  /** The end notice is on the screen; closing it resets this. */
  end: boolean
  /** The last warning since the balance was above all thresholds. */
  warning: Warning
}

export type BalanceNotice = 'end' | Warning

/** Decides which notice a new balance needs, if any, and what counts as shown after it. */
export function decideNotice(
  shown: ShownNotices,
  balance: Pick<SingleSubscription, 'active' | 'held' | 'availableTokens' | 'capacity'>,
): { notice: BalanceNotice; shown: ShownNotices } {
  if (!balance.active) {
    // A running answer returns what it does not use, so the real rest is known only when it ends.
    if (shown.end || balance.held > 0) return { notice: null, shown }
    return { notice: 'end', shown: { end: true, warning: 0.05 } }
  }
  const warning = lowBalanceShare(balance)
  const isDeeper = warning !== null && (shown.warning === null || warning < shown.warning)
  return { notice: isDeeper ? warning : null, shown: { end: false, warning } }
}
