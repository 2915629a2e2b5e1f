import { isJson, notJson, parseJson, withoutNul } from '#server/http/route.ts'
import { BASE_PATH } from './compat/responses.ts'
import type { Fields } from './limits.ts'
import { landingOf } from './links.ts'

/**
 * The library also reads forms, plain text and bytes. Our limits and checks read JSON, so every other body is refused,
 * and the library gets the JSON that was checked, whatever was sent.
 */
export async function withCheckedBody(request: Request): Promise<Request> {
  if (request.method !== 'POST' || takesForm(request)) return request
  const { headers } = request
  const text = await request.clone().text()
  if (text === '') return withBody(request, null)
  if (!isJson(headers.get('content-type'))) throw notJson()
  return withBody(request, JSON.stringify(withoutNul(parseJson(text))))
}

/** Buttons of our confirmation pages, and providers that return by a form. Neither carries an address or a password. */
function takesForm({ url, headers }: Request): boolean {
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  const path = new URL(url).pathname.slice(BASE_PATH.length).replace(/\/+$/, '')
  return type === 'application/x-www-form-urlencoded' && (isLandingForm(path) || /^\/callback\/[^/]+$/.test(path))
}

const isLandingForm = (path: string) => landingOf(path) !== null && path.endsWith('/open')

function withBody(request: Request, body: string | null): Request {
  const headers = new Headers(request.headers)
  for (const name of ['content-type', 'content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name)
  if (body !== null) headers.set('content-type', 'application/json')
  return new Request(request.url, { method: request.method, headers, body })
}

/** The fields of a checked body; none for a form or a body that is not an object. */
export async function bodyFieldsOf(request: Request): Promise<Fields> {
  if (request.body === null || !isJson(request.headers.get('content-type'))) return {}
  const body: unknown = await request.clone().json()
  return body !== null && typeof body === 'object' ? { ...body } : {}
}
