import * as z from 'zod/mini'
import type { Connection } from './connection.ts'
import { LlmError, rejectedBy, unreachable } from './errors.ts'
import type { ProviderKind } from './profile.ts'

export interface Offered {
  id: string
  /** The provider's date of switching it off, if announced. */
  shutdownDate: string | null
}

const TIMEOUT_MS = 15_000
const MAX_BYTES = 20 * 1024 * 1024

const paths: Record<ProviderKind, string | null> = {
  openai: '/models',
  yandex: '/models',
  gigachat: '/models',
  anthropic: '/models?limit=1000',
  gemini: '/models?pageSize=1000',
  speechkit: null,
  salute: null,
}

/** Speech services have no call for their models; these are in their documentation. */
const named: Partial<Record<ProviderKind, string[]>> = {
  speechkit: ['deferred-general', 'general', 'general:rc'],
  salute: ['callcenter', 'general'],
}

const date = z.optional(z.nullable(z.string()))
const Item = z.object({
  id: z.optional(z.string()),
  /** Gemini's «models/gemini-x». */
  name: z.optional(z.nullable(z.string())),
  supportedGenerationMethods: z.optional(z.array(z.string())),
  shutdown_date: date,
  /** OpenRouter's name for it. */
  expiration_date: date,
})
const items = z.array(z.unknown())
const List = z.union([items, z.object({ data: items }), z.object({ models: items })])

export async function readOffer({ get }: Connection, kind: ProviderKind): Promise<Offered[]> {
  const path = paths[kind]
  if (path === null) return (named[kind] ?? []).map((id) => ({ id, shutdownDate: null }))
  const text = await readList(get, path)
  const list = List.safeParse(parse(text))
  if (!list.success) throw new LlmError('down', { reason: 'unknown-list' })
  const found = Array.isArray(list.data) ? list.data : 'data' in list.data ? list.data.data : list.data.models
  return found
    .flatMap((item) => {
      const parsed = Item.safeParse(item)
      return parsed.success ? offered(parsed.data) : []
    })
    .sort((a, b) => a.id.localeCompare(b.id))
}

function offered(item: z.infer<typeof Item>): Offered[] {
  const id = item.id ?? item.name?.replace(/^models\//, '')
  const answers = item.supportedGenerationMethods?.includes('generateContent') ?? true
  if (!id || !answers) return []
  return [{ id, shutdownDate: item.shutdown_date ?? item.expiration_date ?? null }]
}

async function readList(get: Connection['get'], path: string): Promise<string> {
  try {
    const response = await get(path, AbortSignal.timeout(TIMEOUT_MS))
    let text = ''
    response.setEncoding('utf8')
    for await (const chunk of response) {
      text += chunk
      if (text.length > MAX_BYTES) throw new LlmError('down', { reason: 'answer-without-end' })
    }
    const status = response.statusCode ?? 0
    if (status !== 200) throw rejectedBy({ status, text, headers: response.headers })
    return text
  } catch (error) {
    if (error instanceof LlmError) throw error
    throw unreachable(error)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
