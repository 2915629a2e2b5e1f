import { findScreen, type ScreenName } from '#contract/screens.ts'
import { type FramedLayout, framedLayout, STATE_START } from '#contract/shell.ts'

/** What the server has written in front of the worker. */
export interface Stored {
  /** Changes with the build and with whatever the stored pages are made of. */
  version: string
  build: string
  /** The folder of the stored pages. */
  folder: string
  /** What is fetched when the worker is installed. */
  files: string[]
  /** The files of each screen, by its name. */
  screens: Partial<Record<ScreenName, string[]>>
}

interface Asked {
  url: string
  method: string
  mode: string
  destination: string
}

export type Handling =
  | { type: 'page'; layout: FramedLayout; screen: ScreenName }
  | { type: 'file' }
  /** The worker does not touch it. */
  | { type: 'network' }

const NETWORK: Handling = { type: 'network' }

/** Files whose address changes with their content. */
const isFile = ({ pathname, search }: URL) =>
  pathname.startsWith('/assets/') || (/^\/(early|again)\.js$/.test(pathname) && search !== '')

/** Only screens of the chat itself begin with a stored layout. Whatever has a question in its address is the server's. */
export function handlingOf({ url, method, mode, destination }: Asked, origin: string): Handling {
  const address = new URL(url)
  if (method !== 'GET' || address.origin !== origin) return NETWORK
  if (mode !== 'navigate') return isFile(address) ? { type: 'file' } : NETWORK
  const place = findScreen(address.pathname)
  if (!place || destination !== 'document' || address.search !== '' || !isStored(place.screen)) return NETWORK
  return { type: 'page', layout: framedLayout(place.screen, ''), screen: place.screen }
}

function isStored(screen: ScreenName): boolean {
  return !/^(auth|admin|help|shared|legal|promptcms)(-|$)/.test(screen)
}

export interface Page {
  /** Head and layout: all that is needed to draw it. */
  before: string
  /** The scripts, which are fetched after that. */
  scripts: string
  /** The state, and the end of the page. */
  after: string
}

const script = /<link rel="modulepreload"[^>]*>/g

/** Null when it is not a page of ours. */
export function splitPage(html: string): Page | null {
  const at = html.indexOf(STATE_START)
  if (at < 0) return null
  const before = html.slice(0, at)
  return { before: before.replace(script, ''), scripts: (before.match(script) ?? []).join(''), after: html.slice(at) }
}

interface Answered {
  status: number
  redirected: boolean
  /** What the answer says of its layout; null where none is stored. */
  shell: string | null
}

/** Whether the layout that is already on screen is the one of this answer. Another one wins: the page is loaded again. */
export function isExpected({ status, redirected, shell }: Answered, version: string, name: string): boolean {
  return status === 200 && !redirected && shell === `${version}/${name}`
}
