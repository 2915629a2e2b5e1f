import { addressOf } from '#contract/endpoint.ts'
import { TransactionKindFilter } from '#contract/transactions.ts'
import { ledgerApi, ledgerSorts } from '#contract/transactions-admin.ts'
import { choiceParam, dayParam, isFiltered, type StateOf, tableParams, textParam } from '#web/lib/url-state.ts'

export const ledgerParams = {
  ...tableParams(ledgerSorts, '-createdAt'),
  kind: choiceParam(TransactionKindFilter.options),
  direction: choiceParam(['in', 'out']),
  user: textParam(),
  model: textParam(),
  key: textParam(),
  from: dayParam(),
  to: dayParam(),
  least: textParam(15),
  most: textParam(15),
  /** The open operation. */
  entry: textParam(20),
}
export type LedgerState = StateOf<typeof ledgerParams>

export const noFilter = {
  query: '',
  kind: null,
  direction: null,
  user: '',
  model: '',
  key: '',
  from: '',
  to: '',
  least: '',
  most: '',
} satisfies Partial<LedgerState>

export const hasFilters = (state: LedgerState) => isFiltered(state, Object.keys(noFilter))

export function ledgerFilter({ query, kind, direction, user, model, key, from, to, least, most }: LedgerState) {
  return {
    ...(query && { query }),
    ...(kind && { kind }),
    ...(direction && { direction }),
    ...(user && { userId: user }),
    ...(model && { modelId: model }),
    ...(key && { keyId: key }),
    ...(from && { from }),
    ...(to && { to }),
    ...(isCount(least) && { symbolsFrom: Number(least) }),
    ...(isCount(most) && { symbolsTo: Number(most) }),
  }
}

const isCount = (text: string) => /^\d{1,12}$/.test(text)

export function ledgerCsvAddress(state: LedgerState): string {
  return addressOf(ledgerApi.csv, { query: ledgerFilter(state) })
}
