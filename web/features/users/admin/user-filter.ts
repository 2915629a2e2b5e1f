import { addressOf } from '#contract/endpoint.ts'
import { type UserQuery, userSorts, usersAdminApi } from '#contract/users-admin.ts'
import { choiceParam, dayParam, filled, isFiltered, type Param, type StateOf, tableParams } from '#web/lib/url-state.ts'

const patternParam = (pattern: RegExp): Param<string> => ({
  read: (text) => (text !== null && pattern.test(text) ? text : ''),
  write: (text) => text || null,
})
const countParam = patternParam(/^\d{1,12}$/)

export const activities = ['active-1', 'active-7', 'active-30', 'idle-30', 'idle-90', 'idle-365'] as const

export const userParams = {
  ...tableParams(userSorts, '-createdAt'),
  role: choiceParam(['admin', 'user']),
  banned: choiceParam(['true', 'false']),
  plan: patternParam(/^[\w-]{1,64}$/),
  gift: choiceParam(['refused']),
  seen: choiceParam(activities),
  balanceFrom: countParam,
  balanceTo: countParam,
  from: dayParam(),
  to: dayParam(),
}
export type UserListState = StateOf<typeof userParams>

const filters = ['query', 'role', 'banned', 'plan', 'gift', 'seen', 'balanceFrom', 'balanceTo', 'from', 'to']

export const hasFilters = (state: UserListState) => isFiltered(state, filters)

export function toUserQuery({ seen, balanceFrom, balanceTo, ...rest }: UserListState): UserQuery {
  return {
    ...filled(rest),
    ...activityOf(seen),
    ...(balanceFrom && { balanceFrom: Number(balanceFrom) }),
    ...(balanceTo && { balanceTo: Number(balanceTo) }),
  }
}

function activityOf(seen: UserListState['seen']): Pick<UserQuery, 'activeDays' | 'idleDays'> {
  const [kind, days] = seen?.split('-') ?? []
  if (!days) return {}
  return kind === 'active' ? { activeDays: Number(days) } : { idleDays: Number(days) }
}

/** Every user that matches the filter, not only the page. */
export function csvAddress(state: UserListState): string {
  const { page: _, size: __, sort: ___, ...query } = toUserQuery(state)
  return addressOf(usersAdminApi.csv, { query })
}
