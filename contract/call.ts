import { type Answer, type Args, fillPath, type JsonEndpoint, queryString } from './endpoint.ts'
import { ApiError, ErrorBody } from './errors.ts'
import { NEXT_CURSOR } from './paging.ts'

type Fetch = (url: string, init: RequestInit) => Promise<Response>
interface AnyArgs {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

/** Makes a call of the contract and checks the response. Every error is an ApiError. */
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
  const response = await reach(fetchWith, fillPath(endpoint.path, params) + queryString(query), {
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
  const parsed = endpoint.returns.safeParse(answer)
  if (!parsed.success)
    throw new ApiError({ status: response.status, code: 'bad_answer', message: 'Unknown JSON error' })
  return { items: parsed.data as Answer<E>, nextCursor: response.headers.get(NEXT_CURSOR) }
}

async function reach(fetchWith: Fetch, url: string, init: RequestInit): Promise<Response> {
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

/** The sign-in library answers `{code, message}` without a status. */
export function apiErrorOf(status: number, answer: unknown, headers?: Headers): ApiError {
  const retryAfter = headers && retryAfterOf(headers)
  const unknown = { status, code: 'unknown', message: 'Unknown error', ...(retryAfter !== undefined && { retryAfter }) }
  const body = ErrorBody.safeParse({ ...unknown, ...(answer as object | null), status })
  return new ApiError(body.success ? body.data : unknown)
}

/** In seconds. A proxy may send it too; the form with a date is not supported. */
export function retryAfterOf(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? ''
  return /^\d{1,6}$/.test(text) ? Number(text) : undefined
}
