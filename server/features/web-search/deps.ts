import { fetchPage } from '#server/internet/fetch-page.ts'
import { openSearch } from '#server/internet/open-search.ts'
import type { Search } from '#server/internet/search.ts'
import type { SearchCost, SearchSettings } from '#server/internet/search-settings.ts'
import type { Log } from '#server/lib/log.ts'
import type { HelpText } from '../help/pages.ts'
import { demoWeb } from './demo-web.ts'
import type { ReadDeps } from './read-pages.ts'

export interface WebDeps extends ReadDeps {
  /** Null when no engine is set up: pages can be read, nothing can be searched. */
  search: Search | null
  /** Symbols charged for a search that found something. */
  price: number
  /** What a thousand requests to the engine cost the owner; null when that is not known. */
  cost?: SearchCost | null
  log: Log
}

export type Web = Omit<WebDeps, 'pool' | 'log'>

interface WebSettings {
  engine: SearchSettings | null
  price: number
  cost?: SearchCost | null
  /** The demo models are visible, so without an engine the demo searches the help pages. */
  isDemo: boolean
  appUrl: string
}

export function openWeb({ engine, price, cost = null, isDemo, appUrl }: WebSettings, help: readonly HelpText[]): Web {
  if (engine) return { search: openSearch(engine), price, cost, fetchPage }
  if (!isDemo) return noWeb
  const demo = demoWeb(help, appUrl)
  const isOwn = (address: string) => address.startsWith(`${appUrl}/help/`)
  return {
    search: demo.search,
    price,
    fetchPage: (address, signal, request) =>
      (isOwn(address) ? demo : { fetchPage }).fetchPage(address, signal, request),
  }
}

/** Without an engine: pages can still be read. */
export const noWeb: Web = { search: null, price: 0, fetchPage }

/** Empty without a search. */
export const searchNote = (price: number) =>
  price > 0 ? `С поиском в интернете: ${new Intl.NumberFormat('ru-RU').format(price)}` : ''
