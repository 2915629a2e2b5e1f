import { lowBalance, type SingleSubscription } from '#contract/billing.ts'

type Warning = ReturnType<typeof lowBalance>

/** The notices about the balance that were shown already. */
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
  const warning = lowBalance(balance)
  const isDeeper = warning !== null && (shown.warning === null || warning < shown.warning)
  return { notice: isDeeper ? warning : null, shown: { end: false, warning } }
}
