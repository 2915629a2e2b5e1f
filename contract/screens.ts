/** The routes of the specification. The page routes by them, and the server answers 404 for other addresses. */

export type Layout = 'default' | 'container-2xl' | 'container-full' | 'no-auth'

export const screens = {
  index: { path: '/', layout: 'default' },
  help: { path: '/help', layout: 'default' },
  'help-slug': { path: '/help/*', layout: 'default' },
  'auth-signin': { path: '/auth/signin', layout: 'no-auth' },
  'auth-second-factor': { path: '/auth/second-factor', layout: 'no-auth' },
  'auth-email-sended': { path: '/auth/email-sended', layout: 'no-auth' },
  prompts: { path: '/prompts', layout: 'container-full' },
  'prompts-add': { path: '/prompts/add', layout: 'container-2xl' },
  'prompts-id': { path: '/prompts/:id', layout: 'container-2xl' },
  images: { path: '/images', layout: 'container-full' },
  threads: { path: '/threads', layout: 'default' },
  'threads-id': { path: '/threads/:id', layout: 'default' },
  'shared-id': { path: '/shared/:id', layout: 'no-auth' },
  'legal-kind': { path: '/legal/:kind', layout: 'no-auth' },
  profile: { path: '/profile', layout: 'container-2xl' },
  'profile-operations': { path: '/profile/operations', layout: 'container-2xl' },
  'profile-settings': { path: '/profile/settings', layout: 'container-2xl' },
  'profile-account': { path: '/profile/account', layout: 'container-2xl' },
  promptcms: { path: '/promptcms', layout: 'container-full' },
  assistants: { path: '/assistants', layout: 'container-full' },
  'assistants-create': { path: '/assistants/create', layout: 'container-full' },
  'assistants-id-edit': { path: '/assistants/:id/edit', layout: 'container-full' },
  transcribe: { path: '/transcribe', layout: 'container-2xl' },
  'admin-plans': { path: '/admin/plans', layout: 'container-full' },
  'admin-plans-add': { path: '/admin/plans/add', layout: 'container-2xl' },
  'admin-plans-id': { path: '/admin/plans/:id', layout: 'container-2xl' },
  'admin-models': { path: '/admin/models', layout: 'container-full' },
  'admin-models-add': { path: '/admin/models/add', layout: 'container-2xl' },
  'admin-models-id': { path: '/admin/models/:id', layout: 'container-2xl' },
  'admin-users': { path: '/admin/users', layout: 'container-full' },
  'admin-users-id': { path: '/admin/users/:id', layout: 'container-full' },
  'admin-promocodes': { path: '/admin/promocodes', layout: 'container-full' },
  'admin-promocodes-add': { path: '/admin/promocodes/add', layout: 'container-2xl' },
  'admin-promocodes-id': { path: '/admin/promocodes/:id', layout: 'container-2xl' },
  'admin-statistic': { path: '/admin/statistic', layout: 'container-full' },
  'admin-status': { path: '/admin/status', layout: 'container-full' },
  'admin-transactions': { path: '/admin/transactions', layout: 'container-full' },
  'admin-disputes': { path: '/admin/disputes', layout: 'container-full' },
  'admin-disputes-id': { path: '/admin/disputes/:id', layout: 'container-2xl' },
  'admin-audit': { path: '/admin/audit', layout: 'container-full' },
  'admin-limits': { path: '/admin/limits', layout: 'container-full' },
  'admin-documents': { path: '/admin/documents', layout: 'container-full' },
  'admin-documents-kind': { path: '/admin/documents/:kind', layout: 'container-2xl' },
  'admin-tokens-bundles': { path: '/admin/tokens-bundles', layout: 'container-full' },
} as const satisfies Record<string, { path: string; layout: Layout }>

export type ScreenName = keyof typeof screens

/** Literal segments come before parameters, so that `/prompts/add` is not a prompt with the id «add». */
const weight = (path: string) => (path.includes('*') ? 2 : path.includes(':') ? 1 : 0)
const ordered = (Object.keys(screens) as ScreenName[]).sort((a, b) => weight(screens[a].path) - weight(screens[b].path))

export interface ScreenMatch {
  screen: ScreenName
  layout: Layout
  params: Record<string, string>
}

/** Null for an address that does not exist. */
export function findScreen(pathname: string): ScreenMatch | null {
  const parts = split(pathname)
  for (const screen of ordered) {
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
