import { USERS_CSV, type UserQuery, userSorts } from '#contract/user-desk.ts'
import { formatDay, formatNumber } from '#web/lib/format.ts'
import { choiceParam, type Param, type StateOf, tableParams } from '#web/lib/url-state.ts'
import type { Range } from '#web/ui/table/range-chip.tsx'

/** What the list of users is narrowed by, as it stands in the address. */

const matching = (pattern: RegExp): Param<string | null> => ({
  read: (text) => (text !== null && pattern.test(text) ? text : null),
  write: (text) => text,
})
const count = matching(/^\d{1,12}$/)
const day = matching(/^\d{4}-\d\d-\d\d$/)

export const activities = ['active-1', 'active-7', 'active-30', 'idle-30', 'idle-90', 'idle-365'] as const

export const userParams = {
  ...tableParams(userSorts, '-createdAt'),
  role: choiceParam(['admin', 'user']),
  banned: choiceParam(['true', 'false']),
  plan: matching(/^[\w-]{1,64}$/),
  seen: choiceParam(activities),
  balanceFrom: count,
  balanceTo: count,
  from: day,
  to: day,
}
export type UserListState = StateOf<typeof userParams>

const filterNames = ['role', 'banned', 'plan', 'seen', 'balanceFrom', 'balanceTo', 'from', 'to'] as const

export const isNarrowed = (state: UserListState) =>
  state.query !== '' || filterNames.some((name) => state[name] !== null)

/** The state as the call takes it. */
export function wireOf({ page, size, sort, seen, ...filters }: UserListState): UserQuery {
  const said = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null && value !== ''))
  const numbers = Object.fromEntries(
    Object.entries(said).map(([name, value]) => [name, name.startsWith('balance') ? Number(value) : value]),
  )
  return { page, size, sort, ...numbers, ...activityOf(seen) }
}

function activityOf(seen: UserListState['seen']): Pick<UserQuery, 'activeDays' | 'idleDays'> {
  const [kind, days] = seen?.split('-') ?? []
  if (!days) return {}
  return kind === 'active' ? { activeDays: Number(days) } : { idleDays: Number(days) }
}

/** Everybody whom the list shows, not its page. */
export function csvAddress(state: UserListState): string {
  const { page: _, size: __, sort: ___, ...query } = wireOf(state)
  const said = Object.entries(query).map(([name, value]) => [name, String(value)])
  const text = new URLSearchParams(said).toString()
  return text ? `${USERS_CSV}?${text}` : USERS_CSV
}

/** «Баланс от 1 000 до 5 000»; null for any. */
export function rangeWords(label: string, { from, to }: Range, format: (text: string) => string): string | null {
  if (from === null && to === null) return null
  return [label, from !== null && `от ${format(from)}`, to !== null && `до ${format(to)}`].filter(Boolean).join(' ')
}

export const symbolsText = (text: string) => formatNumber(Number(text))
export const dayText = (text: string) => formatDay(`${text}T12:00:00`)
