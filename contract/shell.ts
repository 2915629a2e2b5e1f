import type { ScreenName } from './screens.ts'

/** The layouts that come with the page as HTML: drawn by the build, filled in and sent by the server. */

export type FramedLayout = 'home' | 'thread' | 'frame'

interface FramedShell {
  layout: FramedLayout
  /** The user has a name beside the address. */
  isNamed: boolean
  isAdmin: boolean
  /** The list of chats is known to be empty. */
  isEmpty?: boolean
}
interface SignInShell {
  layout: 'signin'
  /** There are social providers to sign in with. */
  isSocial: boolean
}
export type Shell = FramedShell | SignInShell | { layout: 'no-auth' }

export function shellName(shell: Shell): string {
  if (shell.layout === 'no-auth') return shell.layout
  if (shell.layout === 'signin') return shell.isSocial ? 'signin-social' : 'signin'
  const { layout, isNamed, isAdmin, isEmpty = false } = shell
  return [layout, isNamed && 'named', isAdmin && 'admin', isEmpty && 'empty'].filter(Boolean).join('-')
}

/** The layout of a screen for a signed-in person; null stands for an address without a screen. */
export function framedLayout(screen: ScreenName | null, search: string): FramedLayout {
  if (screen === 'index' && search === '') return 'home'
  return screen === 'threads-id' ? 'thread' : 'frame'
}

/** Placeholders in the built HTML that the server replaces. */
export const htmlPlaceholders = {
  appName: '%APP_NAME%',
  firstName: '%FIRSTNAME%',
  otherNames: '%OTHERNAMES%',
  email: '%EMAIL%',
  initials: '%INITIALS%',
  welcome: '%WELCOME%',
  offer: '%OFFER%',
  /** The row of one social provider, which the server repeats. */
  social: '%SOCIAL%',
} as const

export const examplePlaceholders = ['%EXAMPLE_A%', '%EXAMPLE_B%', '%EXAMPLE_C%'] as const

/** The name by which the page addresses the user. */
export const firstNameOf = (name: string): string | undefined => name.trim().split(/\s+/)[0] || undefined

/** Of an email address only the part before «@» is used: the rest names its provider. */
export function initials(name: string): string {
  const words = name
    .trim()
    .replace(/@\S*$/u, '')
    .split(/[\s._-]+/u)
  return words
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase()
}
