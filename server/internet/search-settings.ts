import * as z from 'zod'
import { unlessEmpty } from '#server/lib/env-fields.ts'

export const searchEngines = ['yandex', 'searxng', 'brave', 'tavily'] as const
export type SearchEngine = (typeof searchEngines)[number]

const text = unlessEmpty(z.string().optional())

export const searchEnv = {
  SEARCH_ENGINE: unlessEmpty(z.enum(searchEngines, `нужно одно из: ${searchEngines.join(', ')}`).optional()),
  SEARCH_API_KEY: text,
  SEARCH_BASE_URL: unlessEmpty(z.url('нужен адрес, например https://search.example.ru').optional()),
  SEARCH_FOLDER: text,
  /** Symbols charged for a search that found something, whatever the model. */
  SEARCH_PRICE: unlessEmpty(z.coerce.number('нужно целое число').int().min(0).max(1_000_000).default(1500)),
  /** What a thousand requests cost the owner, for the margin report. */
  SEARCH_COST: unlessEmpty(
    z
      .string()
      .regex(/^\d{1,7}(\.\d{1,4})? [A-Z]{3}$/, 'нужны цена за тысячу запросов и валюта, например 480 RUB')
      .optional(),
  ),
}
const SearchEnv = z.object(searchEnv)

export interface SearchSettings {
  engine: SearchEngine
  baseUrl: string
  apiKey: string | null
  folder: string | null
}

export interface SearchCost {
  /** For a thousand requests. */
  amount: number
  currency: string
}

const addresses: Record<SearchEngine, string | null> = {
  yandex: 'https://searchapi.api.cloud.yandex.net',
  brave: 'https://api.search.brave.com',
  tavily: 'https://api.tavily.com',
  searxng: null,
}

export function readSearch(env: z.infer<typeof SearchEnv>) {
  const problems: string[] = []
  const { SEARCH_ENGINE: engine, SEARCH_API_KEY: apiKey = null, SEARCH_FOLDER: folder = null } = env
  const baseUrl = env.SEARCH_BASE_URL ?? (engine ? addresses[engine] : null)
  if (!engine && (apiKey || folder || env.SEARCH_BASE_URL))
    problems.push(
      `SEARCH_ENGINE: заданы ключ или адрес поиска, но не сам поиск: нужно одно из ${searchEngines.join(', ')}`,
    )
  if (engine && engine !== 'searxng' && !apiKey) problems.push(`SEARCH_API_KEY: для ${engine} нужен ключ`)
  if (engine === 'yandex' && !folder) problems.push('SEARCH_FOLDER: для yandex нужен идентификатор каталога')
  if (engine === 'searxng' && !baseUrl)
    problems.push('SEARCH_BASE_URL: для searxng нужен адрес вашего SearXNG, например http://localhost:8080')
  const settings: SearchSettings | null = engine && baseUrl ? { engine, baseUrl, apiKey, folder } : null
  return { settings, problems, price: env.SEARCH_PRICE, cost: readCost(env.SEARCH_COST) }
}

function readCost(text: string | undefined): SearchCost | null {
  const [amount, currency] = text?.split(' ') ?? []
  return amount && currency ? { amount: Number(amount), currency } : null
}
