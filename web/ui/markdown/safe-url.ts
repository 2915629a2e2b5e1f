import { imageIdIn } from '#contract/image-address.ts'
import { findScreen } from '#contract/screens.ts'

/** Where an address in an answer may lead: inside the product, to a file of ours, or out of the window. */
export type SafeUrl = { kind: 'screen' | 'file' | 'outside'; href: string }

const PROTOCOLS = new Set(['http:', 'https:', 'mailto:', 'tel:'])

/**
 * The address if it is one that may be followed, or null. Read by the browser's own parser, so that no disguise of a
 * forbidden protocol is understood differently when it is clicked.
 */
export function safeUrl(address: string, origin: string = location.origin): SafeUrl | null {
  const text = address.trim()
  // An address that begins elsewhere than at a protocol or at the root means nothing in an answer.
  if (!/^(?:[a-z][a-z\d+.-]*:|\/(?![/\\]))/i.test(text) || !URL.canParse(text, origin)) return null
  const url = new URL(text, origin)
  if (!PROTOCOLS.has(url.protocol) || url.username !== '' || url.password !== '') return null
  if (url.origin !== origin) return text.startsWith('/') ? null : { kind: 'outside', href: url.href }
  const href = url.pathname + url.search + url.hash
  return { kind: findScreen(url.pathname) ? 'screen' : 'file', href }
}

export type SafeImage = { kind: 'own'; src: string } | { kind: 'remote'; src: string; host: string }

/**
 * A picture of ours is shown at once, one from another site only on demand, and no other kind at all: showing is a GET,
 * and a GET of any other address of ours could do something in the name of whoever reads.
 */
export function safeImage(address: string, origin: string = location.origin): SafeImage | null {
  const url = safeUrl(address, origin)
  if (url?.kind === 'file' && imageIdIn(url.href) !== null) return { kind: 'own', src: url.href }
  if (url?.kind !== 'outside' || !url.href.startsWith('https:')) return null
  return { kind: 'remote', src: url.href, host: new URL(url.href).hostname }
}
