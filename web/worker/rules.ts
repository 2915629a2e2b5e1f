import { findScreen } from '#contract/screens.ts'
import { type FramedLayout, framedLayout } from '#contract/shell.ts'

interface RequestFields {
  url: string
  method: string
  mode: string
  destination: string
}

/**
 * The stored layout for a visit without a network. Null for all that only the server can answer: screens outside the
 * chat, addresses with a query, such as one-time links, and everything that is not a visit.
 */
export function offlineLayout(request: RequestFields, origin: string): FramedLayout | null {
  const { method, mode, destination } = request
  const url = new URL(request.url)
  if (method !== 'GET' || mode !== 'navigate' || destination !== 'document') return null
  const screen = url.origin === origin && url.search === '' && findScreen(url.pathname)?.screen
  if (!screen || /^(auth|admin|help|shared|legal|promptcms)(-|$)/.test(screen)) return null
  return framedLayout(screen, '')
}
