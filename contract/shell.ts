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
  isSocial: boolean
  /** New users are asked to agree to documents. */
  asks: boolean
}
export type Shell = FramedShell | SignInShell | { layout: 'no-auth' }

export function shellName(shell: Shell): string {
  if (shell.layout === 'no-auth') return shell.layout
  if (shell.layout === 'signin')
    return ['signin', shell.isSocial && 'social', shell.asks && 'asks'].filter(Boolean).join('-')
  const { layout, isNamed, isAdmin, isEmpty = false } = shell
  return [layout, isNamed && 'named', isAdmin && 'admin', isEmpty && 'empty'].filter(Boolean).join('-')
}

/** The layout of a screen for a signed-in person; null stands for an address without a screen. */
export function framedLayout(screen: ScreenName | null, search: string): FramedLayout {
  if (screen === 'index' && search === '') return 'home'
  return screen === 'threads-id' ? 'thread' : 'frame'
}

/** The HTML before this tag is only layout, which the worker may store; the user's data comes after it. */
export const STATE_START = '<script type="application/json" id="page-state">'

/** The id of the template with the parts that boot.js puts into the slots of the layout. */
export const DRAWN = 'drawn'

/** The layout of the sent page and the version of the stored files; absent when browsers store no such layout. */
export const SHELL_HEADER = 'x-shell'

/** The cache in which a page notes that a person is signed in, for the worker. */
export const SIGNED_IN_CACHE = 'seen'

/** What the worker must know: the build, and whether the panel has links to admin screens. */
export interface SignedInNote {
  build: string
  isAdmin: boolean
}

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

/**
 * Names files in a page, so that the browser fetches them at once and not one after another: styles with the page,
 * scripts after the first frame (web/public/boot.js). Styles are applied by web/lib/shell.ts.
 */
export function linkTags(files: readonly string[]): string {
  const kind = (file: string) => (file.endsWith('.css') ? 'data-file="style" media="not all" crossorigin' : 'data-file')
  return files.map((file) => `<link ${kind(file)} href="${file}">`).join('')
}
