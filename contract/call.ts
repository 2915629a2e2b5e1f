import { type Answer, type Args, fillPath, type JsonEndpoint, queryString } from './endpoint.ts'
import { ApiError } from './errors.ts'
import { NEXT_CURSOR } from './paging.ts'

type Fetch = (url: string, init: RequestInit) => Promise<Response>
interface AnyArgs {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

/** Every error is an ApiError. */
export async function call<E extends JsonEndpoint>(endpoint: E, args: Args<E>, fetchWith?: Fetch): Promise<Answer<E>> {
  return (await callPage(endpoint, args, fetchWith)).items
}

/** The same for a list in pages: the rows and the cursor of the next page, null after the last. */
export async function callPage<E extends JsonEndpoint>(
  endpoint: E,
  args: Args<E>,
  fetchWith: Fetch = (url, init) => fetch(url, init),
): Promise<{ items: Answer<E>; nextCursor: string | null }> {
  const { params, query, body: given } = args as AnyArgs
  // The sign-in library rejects a POST without a content type, even when it needs no body.
  const body = given ?? (endpoint.method === 'POST' ? {} : undefined)
  const response = await fetchFromServer(fetchWith, fillPath(endpoint.path, params) + queryString(query), {
    method: endpoint.method,
    credentials: 'include',
    headers:
      body === undefined
        ? { accept: 'application/json' }
        : { accept: 'application/json', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = await readJson(response)
  if (!response.ok) throw apiErrorOf(response.status, answer, response.headers)
  return { items: checkAnswer(endpoint, answer, response.status), nextCursor: response.headers.get(NEXT_CURSOR) }
}

/** The built page has no schemas and skips the check: the server has checked its answer with the same ones. */
export function checkAnswer<E extends JsonEndpoint>(endpoint: E, answer: unknown, status: number): Answer<E> {
  const { returns }: Partial<JsonEndpoint> = endpoint
  const parsed = returns?.safeParse(answer) ?? { success: true, data: answer }
  if (!parsed.success) throw new ApiError({ status, code: 'bad_answer', message: 'Unknown JSON error' })
  return parsed.data as Answer<E>
}

async function fetchFromServer(fetchWith: Fetch, url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetchWith(url, init)
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw new ApiError({ status: 0, code: 'network', message: 'Нет связи с сервером. Проверьте интернет и повторите.' })
  }
}

async function readJson(response: Response): Promise<unknown> {
  const text = await response.text()
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    if (!response.ok) return null
    throw new ApiError({ status: response.status, code: 'bad_answer', message: 'Unknown JSON error' })
  }
}

/** The sign-in library answers `{code, message}` without a status, and a proxy may answer with any body. */
export function apiErrorOf(status: number, answer: unknown, headers?: Headers): ApiError {
  const { code, message, field, reason, retryAfter } = (answer ?? {}) as Record<string, unknown>
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return new ApiError({
    status,
    code: text(code) ?? 'unknown',
    message: text(message) ?? 'Unknown error',
    field: text(field),
    reason: text(reason),
    retryAfter: typeof retryAfter === 'number' ? retryAfter : headers && retryAfterOf(headers),
  })
}

/** A proxy may send it too. Its form with a date is not supported. */
export function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? ''
  return /^\d{1,6}$/.test(text) ? Number(text) : undefined
}
