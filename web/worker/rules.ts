import { findScreen, normalPath, type ScreenName } from '#contract/screens.ts'
import { type FramedLayout, framedLayout, STATE_START } from '#contract/shell.ts'

/** The constant that the server prepends to the script of the worker. */
export interface WorkerManifest {
  /** Changes with the build and with everything that goes into the stored pages. */
  version: string
  build: string
  /** The folder of the stored pages. */
  folder: string
  /** What is fetched when the worker is installed. */
  files: string[]
  screens: Partial<Record<ScreenName, string[]>>
}

interface RequestFields {
  url: string
  method: string
  mode: string
  destination: string
}

export type Handling =
  | { type: 'page'; layout: FramedLayout; screen: ScreenName }
  | { type: 'file' }
  /** The request is left to the browser. */
  | { type: 'network' }

const NETWORK: Handling = { type: 'network' }

/** Files whose address changes with their content. */
const isFile = ({ pathname, search }: URL) =>
  pathname.startsWith('/assets/') || (pathname === '/reload-fresh.js' && search !== '')

/** Only screens of the chat itself start with a stored layout. Addresses with a query string are left to the server. */
export function handlingOf({ url, method, mode, destination }: RequestFields, origin: string): Handling {
  const address = new URL(url)
  if (method !== 'GET' || address.origin !== origin) return NETWORK
  if (mode !== 'navigate') return isFile(address) ? { type: 'file' } : NETWORK
  const match = findScreen(address.pathname)
  // The server redirects other spellings.
  if (normalPath(address.pathname) !== address.pathname) return NETWORK
  if (!match || destination !== 'document' || address.search !== '' || !isStored(match.screen)) return NETWORK
  return { type: 'page', layout: framedLayout(match.screen, ''), screen: match.screen }
}

function isStored(screen: ScreenName): boolean {
  return !/^(auth|admin|help|shared|legal|promptcms)(-|$)/.test(screen)
}

export interface Page {
  /** Head and layout: all that is needed to paint it. */
  before: string
  /** The state, and the end of the page. */
  after: string
}

/** Null when it is not a page of ours. */
export function splitPage(html: string): Page | null {
  const at = html.indexOf(STATE_START)
  return at < 0 ? null : { before: html.slice(0, at), after: html.slice(at) }
}

interface ResponseFields {
  status: number
  redirected: boolean
  /** The layout that the response names in its header; null when it names none. */
  shell: string | null
}

/** Whether the layout on the screen is the one of this response. Otherwise the page is loaded again. */
export function isExpected({ status, redirected, shell }: ResponseFields, version: string, name: string): boolean {
  return status === 200 && !redirected && shell === `${version}/${name}`
}
