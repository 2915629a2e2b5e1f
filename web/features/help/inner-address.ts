import { findScreen } from '#contract/screens.ts'

interface ClickedLink {
  href: string
  target: string
}

interface Click {
  button: number
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
  altKey: boolean
}

/**
 * Where a click on a link inside a text leads within the page, or null when the browser shall follow it itself: a
 * place on the same page, a file of the server, another site, a new tab.
 */
export function innerAddress(link: ClickedLink, click: Click, here: string): string | null {
  if (click.button !== 0 || click.ctrlKey || click.metaKey || click.shiftKey || click.altKey) return null
  if (link.target !== '') return null
  const [from, to] = [new URL(here), new URL(link.href, here)]
  if (to.origin !== from.origin || !findScreen(to.pathname)) return null
  if (to.hash !== '' && to.pathname === from.pathname) return null
  return to.pathname + to.search + to.hash
}
