import { addressOf } from '#contract/endpoint.ts'
import { orderSorts, ordersAdminApi } from '#contract/orders-admin.ts'
import { OrderKind, OrderStatus } from '#contract/payments.ts'
import { readNumber } from '#web/lib/number-input.ts'
import { choiceParam, dayParam, isFiltered, type StateOf, tableParams, textParam } from '#web/lib/url-state.ts'

export const orderParams = {
  ...tableParams(orderSorts, '-createdAt'),
  status: choiceParam(OrderStatus.options),
  kind: choiceParam(OrderKind.options),
  /** `plan:<id>` or `bundle:<id>`. */
  product: textParam(),
  user: textParam(),
  from: dayParam(),
  to: dayParam(),
  /** In whole units of the order's currency. */
  least: textParam(15),
  most: textParam(15),
  /** The open order. */
  order: textParam(),
}
export type OrderState = StateOf<typeof orderParams>

export const noFilter = {
  query: '',
  status: null,
  kind: null,
  product: '',
  user: '',
  from: '',
  to: '',
  least: '',
  most: '',
} satisfies Partial<OrderState>

export const hasFilters = (state: OrderState) => isFiltered(state, Object.keys(noFilter))

export function orderFilter({ query, status, kind, product, user, from, to, least, most }: OrderState) {
  const [what, id] = split(product)
  return {
    ...(query && { query }),
    ...(status && { status }),
    ...(kind && { kind }),
    ...(what === 'plan' && { planId: id }),
    ...(what === 'bundle' && { bundleId: id }),
    ...(user && { userId: user }),
    ...(from && { from }),
    ...(to && { to }),
    ...(isSum(least) && { amountFrom: minor(least) }),
    ...(isSum(most) && { amountTo: minor(most) }),
  }
}

function split(product: string): [string, string] {
  const at = product.indexOf(':')
  return at < 0 ? ['', ''] : [product.slice(0, at), product.slice(at + 1)]
}

/** To hundredths, the minor unit of nearly all currencies. */
const minor = (text: string) => Math.round(readNumber(text) * 100)
const isSum = (text: string) => readNumber(text) >= 0

export function orderCsvAddress(state: OrderState): string {
  return addressOf(ordersAdminApi.csv, { query: orderFilter(state) })
}
