import { dayOf } from '#server/lib/day-of.ts'
import { connectionFailure, failureOf } from '#server/lib/failure.ts'
import { MAX_RESULTS, SearchError, type SearchErrorKind, type SearchResult } from '../search.ts'

const MAX_BYTES = 4 * 1024 * 1024
const TIMEOUT_MS = 8000

export interface EngineAnswer {
  status: number
  text: string
}

export type EngineAddress = Readonly<{
  baseUrl: string
  apiKey: string | null
  folder: string | null
  timeoutMs?: number
}>

/** Asks an engine over HTTP. Its address comes from the settings, so it may be inside our network. */
export async function callEngine(
  url: URL,
  init: { method?: 'POST'; headers: Record<string, string>; body?: string },
  signal: AbortSignal,
  timeoutMs = TIMEOUT_MS,
): Promise<EngineAnswer> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.any([signal, timeout]) })
    return { status: response.status, text: await textOf(response) }
  } catch (error) {
    if (error instanceof SearchError) throw error
    if (timeout.aborted) throw new SearchError('timeout')
    signal.throwIfAborted()
    throw new SearchError('down', connectionFailure(error))
  }
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) throw new SearchError('down', { code: 'too_large' })
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** Throws for every status but 200; `kinds` maps statuses that have a special meaning for the engine. */
export function assertOk({ status, text }: EngineAnswer, kinds: Record<number, SearchErrorKind> = {}): void {
  if (status === 200) return
  throw new SearchError(kinds[status] ?? kindOf(status), failureOf({ status, body: text }))
}

function kindOf(status: number): SearchErrorKind {
  if (status === 401 || status === 403) return 'key'
  if (status === 402) return 'quota'
  if (status === 429) return 'busy'
  if (status === 408 || status === 504) return 'timeout'
  return status >= 500 ? 'down' : 'refused'
}

export function parseAnswer<Output>(
  schema: { safeParse: (value: unknown) => { success: boolean; data?: Output | undefined } },
  text: string,
): Output {
  const { success, data } = schema.safeParse(jsonOf(text))
  if (!success || data === undefined) throw new SearchError('down', { code: 'unknown_answer' })
  return data
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

interface EngineResult {
  url?: string | null | undefined
  title?: string | null | undefined
  snippet?: string | null | undefined
  date?: string | null | undefined
}

/** Results with an address of the web, each address once, in one line each. */
export function resultsOf(found: readonly EngineResult[]): SearchResult[] {
  const byUrl = new Map<string, SearchResult>()
  for (const { url, title, snippet, date } of found) {
    const address = url && URL.canParse(url) ? new URL(url) : null
    if (!address || !/^https?:$/.test(address.protocol) || byUrl.has(address.href)) continue
    byUrl.set(address.href, {
      url: address.href,
      title: lineOf(title) || address.hostname,
      snippet: lineOf(snippet),
      date: dayOf(date),
    })
  }
  return [...byUrl.values()].slice(0, MAX_RESULTS)
}

/** Engines mark found words by tags. */
const lineOf = (text: string | null | undefined) =>
  (text ?? '')
    .replace(/<\/?[a-z][^<>]{0,100}>/gi, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 500)
