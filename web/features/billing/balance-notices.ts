import { lowBalance, type SingleSubscription } from '#contract/billing.ts'

type Warning = ReturnType<typeof lowBalance>

/** What has been said of the balance so far. */
export interface Said {
  /** The notice of the end is on the screen; closing it resets this. */
  end: boolean
  /** The last warning of this descent. */
  warning: Warning
}

export type BalanceNotice = 'end' | Warning

/** What to say of a new state of the balance, and what has been said then: the specification, section 4. */
export function decideNotice(
  said: Said,
  balance: Pick<SingleSubscription, 'active' | 'held' | 'availableTokens' | 'capacity'>,
): { notice: BalanceNotice; said: Said } {
  if (!balance.active) {
    // What a running answer does not use comes back when it ends: then it is known whether anything is left.
    if (said.end || balance.held > 0) return { notice: null, said }
    return { notice: 'end', said: { end: true, warning: 0.05 } }
  }
  const warning = lowBalance(balance)
  const isDeeper = warning !== null && (said.warning === null || warning < said.warning)
  return { notice: isDeeper ? warning : null, said: { end: false, warning } }
}
