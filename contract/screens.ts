/** The routes of the specification. The page routes by them, and the server answers 404 for other addresses. */

export type Layout = 'default' | 'container-2xl' | 'container-full' | 'no-auth'

export const screens = {
  index: { path: '/', layout: 'default', feature: 'chat' },
  help: { path: '/help', layout: 'default', feature: 'help' },
  'help-slug': { path: '/help/*', layout: 'default', feature: 'help' },
  'auth-signin': { path: '/auth/signin', layout: 'no-auth', feature: 'auth' },
  'auth-second-factor': { path: '/auth/second-factor', layout: 'no-auth', feature: 'auth' },
  'auth-email-sended': { path: '/auth/email-sended', layout: 'no-auth', feature: 'auth' },
  prompts: { path: '/prompts', layout: 'container-full', feature: 'prompts' },
  'prompts-add': { path: '/prompts/add', layout: 'container-2xl', feature: 'prompts' },
  'prompts-id': { path: '/prompts/:id', layout: 'container-2xl', feature: 'prompts' },
  images: { path: '/images', layout: 'container-full', feature: 'images' },
  threads: { path: '/threads', layout: 'default', feature: 'threads' },
  'threads-id': { path: '/threads/:id', layout: 'default', feature: 'chat' },
  'shared-id': { path: '/shared/:id', layout: 'no-auth', feature: 'threads' },
  'legal-kind': { path: '/legal/:kind', layout: 'no-auth', feature: 'legal' },
  profile: { path: '/profile', layout: 'container-full', feature: 'users' },
  'profile-operations': { path: '/profile/operations', layout: 'container-full', feature: 'users' },
  'profile-keys': { path: '/profile/keys', layout: 'container-full', feature: 'users' },
  'profile-settings': { path: '/profile/settings', layout: 'container-full', feature: 'users' },
  'profile-account': { path: '/profile/account', layout: 'container-full', feature: 'users' },
  promptcms: { path: '/promptcms', layout: 'container-full', feature: 'prompts' },
  assistants: { path: '/assistants', layout: 'container-full', feature: 'assistants' },
  'assistants-create': { path: '/assistants/create', layout: 'container-full', feature: 'assistants' },
  'assistants-id-edit': { path: '/assistants/:id/edit', layout: 'container-full', feature: 'assistants' },
  imports: { path: '/imports', layout: 'container-2xl', feature: 'imports' },
  projects: { path: '/projects', layout: 'container-full', feature: 'projects' },
  'projects-id': { path: '/projects/:id', layout: 'container-2xl', feature: 'projects' },
  transcribe: { path: '/transcribe', layout: 'container-2xl', feature: 'transcriptions' },
  'admin-plans': { path: '/admin/plans', layout: 'container-full', feature: 'plans' },
  'admin-plans-add': { path: '/admin/plans/add', layout: 'container-2xl', feature: 'plans' },
  'admin-plans-id': { path: '/admin/plans/:id', layout: 'container-2xl', feature: 'plans' },
  'admin-models': { path: '/admin/models', layout: 'container-full', feature: 'models' },
  'admin-models-add': { path: '/admin/models/add', layout: 'container-2xl', feature: 'models' },
  'admin-models-id': { path: '/admin/models/:id', layout: 'container-2xl', feature: 'models' },
  'admin-users': { path: '/admin/users', layout: 'container-full', feature: 'users' },
  'admin-users-id': { path: '/admin/users/:id', layout: 'container-full', feature: 'users' },
  'admin-promocodes': { path: '/admin/promocodes', layout: 'container-full', feature: 'promocodes' },
  'admin-promocodes-add': { path: '/admin/promocodes/add', layout: 'container-2xl', feature: 'promocodes' },
  'admin-promocodes-id': { path: '/admin/promocodes/:id', layout: 'container-2xl', feature: 'promocodes' },
  'admin-statistic': { path: '/admin/statistic', layout: 'container-full', feature: 'statistics' },
  'admin-status': { path: '/admin/status', layout: 'container-full', feature: 'status' },
  'admin-transactions': { path: '/admin/transactions', layout: 'container-full', feature: 'transactions' },
  'admin-disputes': { path: '/admin/disputes', layout: 'container-full', feature: 'disputes' },
  'admin-disputes-id': { path: '/admin/disputes/:id', layout: 'container-2xl', feature: 'disputes' },
  'admin-audit': { path: '/admin/audit', layout: 'container-full', feature: 'audit' },
  'admin-limits': { path: '/admin/limits', layout: 'container-full', feature: 'limits' },
  'admin-documents': { path: '/admin/documents', layout: 'container-full', feature: 'legal' },
  'admin-documents-kind': { path: '/admin/documents/:kind', layout: 'container-2xl', feature: 'legal' },
  'admin-payments': { path: '/admin/payments', layout: 'container-full', feature: 'billing' },
  'admin-tokens-bundles': { path: '/admin/tokens-bundles', layout: 'container-full', feature: 'billing' },
} as const satisfies Record<string, { path: string; layout: Layout; feature: string }>

export type ScreenName = keyof typeof screens
export type FeatureName = (typeof screens)[ScreenName]['feature']

/** Literal segments come before parameters, so that `/prompts/add` is not a prompt with the id «add». */
const weight = (path: string) => (path.includes('*') ? 2 : path.includes(':') ? 1 : 0)
const ordered = (Object.keys(screens) as ScreenName[]).sort((a, b) => weight(screens[a].path) - weight(screens[b].path))
let known = ordered

/** Takes the screens of all other features out: their addresses do not exist then. */
export function keepScreensOf(features: readonly string[]): void {
  known = ordered.filter((screen) => features.includes(screens[screen].feature))
}

export interface ScreenMatch {
  screen: ScreenName
  layout: Layout
  params: Record<string, string>
}

/**
 * The one spelling of a path, by which the guard, this table and the server decide: no empty or dot segments, and
 * nothing escaped that need not be. Capitals count: `/Admin` is another address, which does not exist.
 */
export function normalPath(path: string): string {
  const segments: string[] = []
  for (const segment of path.replace(/%[0-9a-f]{2}/gi, withoutNeedlessEscape).split(/[/\\]/)) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return `/${segments.join('/')}`
}

/** The unreserved characters of RFC 3986: escaped or not, they mean the same. */
function withoutNeedlessEscape(escaped: string): string {
  const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
  return /[\w.~-]/.test(character) ? character : escaped
}

/** Null for an address that does not exist. A query and a hash do not count. */
export function findScreen(address: string): ScreenMatch | null {
  const parts = split(normalPath(address.replace(/[?#].*/, '')))
  for (const screen of known) {
    const params = match(split(screens[screen].path), parts)
    if (params) return { screen, layout: screens[screen].layout, params }
  }
  return null
}

function match(pattern: string[], parts: string[]): Record<string, string> | null {
  const open = pattern.at(-1) === '*'
  if (open ? parts.length < pattern.length : parts.length !== pattern.length) return null
  const params: Record<string, string> = {}
  for (const [i, segment] of pattern.entries()) {
    const part = parts[i] ?? ''
    if (segment === '*') params['*'] = parts.slice(i).map(decode).join('/')
    else if (segment.startsWith(':')) params[segment.slice(1)] = decode(part)
    else if (segment !== part) return null
  }
  return params
}

function split(pathname: string): string[] {
  return pathname.split('/').filter(Boolean)
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
