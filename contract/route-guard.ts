import { ApiError } from './errors.ts'
import type { SessionUser } from './page.ts'
import { findScreen, type Layout, normalPath, type ScreenMatch, screens } from './screens.ts'

export type Route =
  | { type: 'show'; path: string; match: ScreenMatch; user: SessionUser | null }
  /** `isSamePlace`: only the spelling of the address changes. */
  | { type: 'redirect'; to: string; note?: string; isSamePlace?: true }
  | { type: 'fail'; error: unknown; user: SessionUser | null }

const ADMIN_ONLY = 'Этот раздел доступен только администратору'

/** What an address shows to this user: a screen, a redirect or an error page. The server preloads its files. */
export function decideRoute(
  address: string,
  search: string,
  user: SessionUser | null,
  openHelp: readonly string[],
): Route {
  const path = normalPath(address)
  const found = findScreen(path)
  if (found && path !== address)
    return { type: 'redirect', to: path + (search && `?${search.replace(/^\?/, '')}`), isSamePlace: true }
  const match = found && { ...found, layout: layoutFor(found, user, openHelp) }
  try {
    const to = redirectFor({ path, query: new URLSearchParams(search), layout: match?.layout ?? null, user })
    if (to) return { type: 'redirect', to, ...(user && isAdminPath(path) && { note: ADMIN_ONLY }) }
    if (!match) throw new ApiError({ status: 404, code: 'not_found', message: 'Такой страницы нет' })
    return { type: 'show', path, match, user }
  } catch (error) {
    return { type: 'fail', error, user }
  }
}

/** Whether the panel and everything around a screen is shown. */
export function isFramed(route: Route): boolean {
  if (route.type === 'redirect' || !route.user) return false
  return route.type === 'fail' || route.match.layout !== 'no-auth'
}

/** Help about signing in and paying is readable without a session, outside the frame. */
function layoutFor(
  { screen, layout, params }: ScreenMatch,
  user: SessionUser | null,
  openHelp: readonly string[],
): Layout {
  return !user && screen === 'help-slug' && openHelp.includes(params['*'] ?? '') ? 'no-auth' : layout
}

interface RouteRequest {
  /** As `normalPath` writes it. */
  path: string
  query: URLSearchParams
  /** Null for an address that has no screen: the error in it and the rule for administrators come first all the same. */
  layout: Layout | null
  user: Pick<SessionUser, 'role'> | null
}

/** The order of the rules is from the specification, section 2. */
export function redirectFor({ path, query, layout, user }: RouteRequest): string | null {
  const error = query.get('error')
  if (error) throw errorInAddress(error)
  if (!user) {
    const isOpen = layout === 'no-auth' || (layout === null && !isAdminPath(path))
    return isOpen ? null : screens['auth-signin'].path
  }
  if (path === screens['auth-email-sended'].path) return screens.index.path
  if (isAdminPath(path) && user.role !== 'admin') return screens.index.path
  return null
}

/** By the prefix, as the specification says: addresses without a screen under it are closed too. */
const isAdminPath = (path: string) => path.startsWith('/admin')

function errorInAddress(code: string): ApiError {
  return new ApiError({ status: 400, code, message: code === 'INVALID_TOKEN' ? 'Код недействителен' : code })
}
