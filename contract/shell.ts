/** The layouts that come with the page as HTML: drawn by the build, filled in and sent by the server. */

interface FramedShell {
  layout: 'home' | 'thread' | 'frame'
  /** The user has a name beside the address. */
  isNamed: boolean
  isAdmin: boolean
  /** The list of chats is known to be empty. */
  isEmpty?: boolean
}
export type Shell = FramedShell | { layout: 'no-auth' }

export function shellName(shell: Shell): string {
  if (shell.layout === 'no-auth') return shell.layout
  const { layout, isNamed, isAdmin, isEmpty = false } = shell
  return [layout, isNamed && 'named', isAdmin && 'admin', isEmpty && 'empty'].filter(Boolean).join('-')
}

/** Stand in the HTML for what only the server knows. */
export const slots = {
  appName: '%APP_NAME%',
  firstName: '%FIRSTNAME%',
  otherNames: '%OTHERNAMES%',
  email: '%EMAIL%',
  initials: '%INITIALS%',
} as const

/** What the page calls a person. */
export const firstNameOf = (name: string): string | undefined => name.trim().split(/\s+/)[0] || undefined

/** Of an email address only the part before «@»: the rest names its provider. */
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
