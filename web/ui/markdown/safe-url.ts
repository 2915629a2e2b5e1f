import { imageIdIn } from '#contract/image-address.ts'
import { findScreen } from '#contract/screens.ts'

/** A URL that an answer may link to: one of our screens, one of our files, or another site. */
export type SafeUrl = { kind: 'screen' | 'file' | 'outside'; href: string }

const PROTOCOLS = new Set(['http:', 'https:', 'mailto:', 'tel:'])

/**
 * The URL if it may be followed, or null. Parsed by the browser's own parser, so that a disguised protocol cannot mean
 * one thing here and another when it is clicked.
 */
export function safeUrl(address: string, origin: string = location.origin): SafeUrl | null {
  const text = address.trim()
  // A relative address would depend on the page that shows the answer.
  if (!/^(?:[a-z][a-z\d+.-]*:|\/(?![/\\]))/i.test(text) || !URL.canParse(text, origin)) return null
  const url = new URL(encodePath(text), origin)
  if (!PROTOCOLS.has(url.protocol) || url.username !== '' || url.password !== '') return null
  if (url.origin !== origin) return text.startsWith('/') ? null : { kind: 'outside', href: url.href }
  const href = url.pathname + url.search + url.hash
  return { kind: findScreen(url.pathname) ? 'screen' : 'file', href }
}

/** Backslashes and brackets as Markdown encodes them; the browser would take a backslash for a slash. */
const encodePath = (text: string) =>
  text.replace(
    /^((?:[a-z][a-z\d+.-]*:\/\/[^/\\?#]*)?\/)(.*)/is,
    (_, start, rest) => start + rest.replace(/[[\]\\]/g, encodeURIComponent),
  )

export type SafeImage = { kind: 'own'; src: string } | { kind: 'remote'; src: string; host: string }

/**
 * Our own images are shown at once, those of other sites on demand, anything else never: showing is a GET request with
 * the reader's session, so no other URL of ours may be requested this way.
 */
export function safeImage(address: string, origin: string = location.origin): SafeImage | null {
  const url = safeUrl(address, origin)
  if (url?.kind === 'file' && imageIdIn(url.href) !== null) return { kind: 'own', src: url.href }
  if (url?.kind !== 'outside' || !url.href.startsWith('https:')) return null
  return { kind: 'remote', src: url.href, host: new URL(url.href).hostname }
}
