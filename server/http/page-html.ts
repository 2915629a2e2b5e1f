import type { PageConfig, SessionUser, WrittenState } from '#contract/page.ts'
import { decideRoute, isFramed, type Route } from '#contract/route-guard.ts'
import type { ScreenName } from '#contract/screens.ts'
import {
  DRAWN,
  examplePlaceholders,
  framedLayout,
  htmlPlaceholders,
  initials,
  linkTags,
  type Shell,
  STATE_START,
  shellName,
} from '#contract/shell.ts'
import { escapeHtml } from '#server/lib/html.ts'

/** The built files of the frame, of its admin panel and of each screen, besides the files that every page has. */
export interface PageParts {
  frame: string[]
  admin: string[]
  screens: Partial<Record<ScreenName, string[]>>
  /** Files that an offline page needs besides those of the frame and the chat. */
  offline: string[]
  /** The layouts as HTML, by `shellName`. */
  shells: Record<string, string>
  /** The styles of the first paint. */
  styles: Record<'signin' | 'framed' | 'thread' | 'other', string>
}

const noStyles = { signin: '', framed: '', thread: '', other: '' }
export const noParts: PageParts = { frame: [], admin: [], screens: {}, offline: [], shells: {}, styles: noStyles }

/** What the page will show after its own redirects. */
export function shownRoute(path: string, search: string, user: SessionUser | null, openHelp: readonly string[]): Route {
  const route = decideRoute(path, search, user, openHelp)
  return route.type === 'redirect' ? decideRoute(route.to, '', user, openHelp) : route
}

/** Files to preload, so that the browser fetches them at once and not one after another. */
export function filesFor(route: Route, { frame, admin, screens }: PageParts): string[] {
  if (route.type === 'redirect') return []
  const hasFrame = isFramed(route)
  return [
    ...new Set([
      ...(hasFrame ? frame : []),
      ...(hasFrame && route.user?.role === 'admin' ? admin : []),
      ...(route.type === 'show' ? (screens[route.match.screen] ?? []) : []),
    ]),
  ]
}

/** The layout that is shown until the scripts run; null where the page has banners that would move it. */
export function shellOf(route: Route, search: string, { user, first, config, toAgree }: WrittenState): Shell | null {
  if (route.type === 'show' && route.match.screen === 'auth-signin' && !user && search === '')
    return { layout: 'signin', isSocial: config.socialProviders.length > 0, asks: toAgree !== undefined }
  if (!isFramed(route)) return route.type === 'show' ? { layout: 'no-auth' } : null
  if (!user || user.impersonated || route.type === 'redirect') return null
  if (route.type === 'show' && route.path.startsWith('/admin')) return null
  const known = { isNamed: user.name !== '', isAdmin: user.role === 'admin' }
  const layout = framedLayout(route.type === 'show' ? route.match.screen : null, search)
  return { layout, ...known, ...(layout === 'home' && { isEmpty: first?.threads?.items.length === 0 }) }
}

function drawnShell(shells: Record<string, string>, shell: Shell | null, state: WrittenState): string {
  const { config, user, welcome } = state
  const html = shell && withDocuments(withProviders(shells[shellName(shell)] ?? '', config), state)
  if (!html) return ''
  const [firstName = '', ...otherNames] = (user?.name ?? '').trim().split(/\s+/)
  const values: Record<string, string> = {
    [htmlPlaceholders.appName]: config.appName,
    [htmlPlaceholders.firstName]: firstName,
    [htmlPlaceholders.otherNames]: otherNames.join(' '),
    [htmlPlaceholders.email]: user?.email ?? '',
    [htmlPlaceholders.initials]: user?.image ? '' : initials(user?.name || user?.email || ''),
    [htmlPlaceholders.welcome]: welcome?.text ?? '',
    [htmlPlaceholders.offer]: welcome?.offer ?? '',
    ...Object.fromEntries(examplePlaceholders.map((slot, i) => [slot, welcome?.examples[i] ?? ''])),
  }
  const filled = html.replace(/%[A-Z_]+%/g, (slot) => escapeHtml(values[slot] ?? slot))
  return `<div id="shell">${filled}</div>`
}

/** The shell has one row of a social provider, for as many as are configured. */
function withProviders(html: string, { socialProviders }: PageConfig): string {
  return html.replace(/<li[^>]*>(?:(?!<\/li>).)*%SOCIAL%.*?<\/li>/s, (row) =>
    socialProviders.map(({ name }) => row.replace(htmlPlaceholders.social, () => escapeHtml(name))).join(''),
  )
}

/** Links to help lead to the documents that the seller has published in their place, as on the page. */
function withDocuments(whole: string, { documents = [] }: WrittenState): string {
  const html = whole.replace(/<label[^>]*data-document="([\w-]+)".*?<\/label>/gs, (box, kind) =>
    documents.includes(kind) ? box : '',
  )
  const inPlaceOf = { offer: 'terms', 'personal-data': 'privacy' }
  return Object.entries(inPlaceOf).reduce(
    (now, [kind, slug]) =>
      documents.includes(kind) ? now.replaceAll(`href="/help/account/${slug}"`, `href="/legal/${kind}"`) : now,
    html,
  )
}

interface Content {
  files: string[]
  shell: Shell | null
  state: WrittenState
  /** The messages of a chat as HTML. After the state, because they belong to the user (`STATE_START`). */
  drawn?: string
}

function stylesOf({ styles }: PageParts, shell: Shell | null): string {
  if (!shell || shell.layout === 'no-auth') return styles.other
  return shell.layout === 'signin' || shell.layout === 'thread' ? styles[shell.layout] : styles.framed
}

export function writePage(html: string, parts: PageParts, { files, shell, state, drawn }: Content): string {
  // «<» inside JSON could end the script element.
  const json = JSON.stringify(state).replaceAll('<', '\\u003c')
  return html
    .replace('<!--styles-->', () => `<style>${stylesOf(parts, shell)}</style>`)
    .replace('</head>', () => `${linkTags(files)}</head>`)
    .replaceAll('%APP_NAME%', () => escapeHtml(state.config.appName))
    .replace('<!--shell-->', () => drawnShell(parts.shells, shell, state))
    .replace(`${STATE_START}<!--page-state-->`, () => STATE_START + json)
    .replace('</body>', (end) => (drawn ? `<template id="${DRAWN}">${drawn}</template>` : '') + end)
}
