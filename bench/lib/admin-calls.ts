import * as z from 'zod'
import { api } from '#contract/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { goals } from './goals.ts'
import type { Person } from './people.ts'

export interface AdminCall {
  what: string
  path: string
  /** The goal for the 95th percentile, in milliseconds. */
  maxMs: number
}

const { listMs: LIST_MS, statisticsMs: STATISTICS_MS } = goals.admin
const SIZE = 50
/** Slow by nature: it reads the whole ledger. */
const RECONCILE = '/api/statistic/reconcile'
/** Lists that every user may read, of which an admin gets all rows. */
const SHARED = ['/api/plans', '/api/tokens-bundles', '/api/models', '/api/transactions?all=1', '/api/prompts/table']

type Ask = (path: string) => Promise<{ status: number; body: unknown }>

/** Every list of the contract that an admin reads: as it opens, sorted each way it can be, filtered, its last page. */
export async function adminCalls(ask: Ask): Promise<AdminCall[]> {
  const calls = Object.values(api)
    .flatMap((section) => Object.values(section))
    .filter(isList)
  const found: AdminCall[] = SHARED.map((path) => ({ what: path, path, maxMs: LIST_MS }))
  for (const call of calls) found.push(...(await listVariants(call, ask)))
  return found
}

/** Files are left out: their time depends on their length. */
const isList = ({ method, path, who, answers }: Endpoint) =>
  method === 'GET' && who === 'admin' && answers !== 'file' && !path.includes(':') && path !== RECONCILE

async function listVariants({ path, query }: Endpoint, ask: Ask): Promise<AdminCall[]> {
  if (path === '/api/statistic') return [7, 30, 90, 365].map((days) => statistics(days))
  const plain = { what: path, path, maxMs: LIST_MS }
  const { body } = await ask(path)
  if (!isTable(body)) return [plain]
  const searches = [
    `page=${Math.max(1, Math.ceil(body.total / SIZE))}`,
    'query=demo',
    ...filtersOf(query),
    ...Object.keys(body.items[0] ?? {}).flatMap((field) => [`sort=${field}`, `sort=-${field}`]),
  ]
  const answered: AdminCall[] = [plain]
  for (const search of searches) {
    const address = `${path}?${search}`
    // A list answers 400 when it cannot be sorted by this field.
    if ((await ask(address)).status === 200) answered.push({ what: address, path: address, maxMs: LIST_MS })
  }
  return answered
}

function statistics(days: number): AdminCall {
  const from = new Date(Date.now() - (days - 1) * 86_400_000).toISOString().slice(0, 10)
  return { what: `/api/statistic, дней: ${days}`, path: `/api/statistic?from=${from}`, maxMs: STATISTICS_MS }
}

const isTable = (body: unknown): body is { items: object[]; total: number } =>
  typeof body === 'object' && body !== null && 'items' in body && 'total' in body

/** The first choice of every filter that has choices. */
function filtersOf(query: Endpoint['query']): string[] {
  if (!query) return []
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, { enum?: string[] }>
  }
  return Object.entries(properties).flatMap(([name, { enum: choices }]) => (choices ? [`${name}=${choices[0]}`] : []))
}

/** Requests claim many IP addresses, so that the limit per address is not reached. */
export function createAsk(url: string, { headers }: Person): Ask {
  let requests = 0
  return async (path) => {
    requests += 1
    const address = `10.1.${Math.floor(requests / 1000)}.1`
    const response = await fetch(url + path, { headers: { ...headers, 'x-forwarded-for': address } })
    return { status: response.status, body: await response.json() }
  }
}
