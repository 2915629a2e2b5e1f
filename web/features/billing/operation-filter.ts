import { addressOf } from '#contract/endpoint.ts'
import { transactionsApi } from '#contract/transactions.ts'
import { choiceParam, dayParam, filled, type StateOf, textParam } from '#web/lib/url-state.ts'

/** Days are both included. */
export const operationParams = {
  operations: choiceParam(['in', 'out']),
  from: dayParam(),
  to: dayParam(),
  /** The id of an API key. */
  key: textParam(64),
}
export type OperationFilter = StateOf<typeof operationParams>
export type OperationQuery = ReturnType<typeof toOperationQuery>

export function toOperationQuery({ operations, from, to, key }: OperationFilter) {
  return filled({ direction: operations, from, to, keyId: key })
}

export function csvAddress(filter: OperationFilter): string {
  return addressOf(transactionsApi.csv, { query: toOperationQuery(filter) })
}
