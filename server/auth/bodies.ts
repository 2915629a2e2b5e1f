import type { Context } from 'hono'
import { withBody } from '#server/http/body.ts'
import { isJson, notJson, parseJson } from '#server/http/json.ts'
import type { JsonLimits } from '#server/http/json-size.ts'
import { callerOf, type Env, withoutNul } from '#server/http/route.ts'
import { BASE_PATH } from './compat/responses.ts'
import type { Fields } from './limits.ts'
import { landingOf } from './links.ts'

const MOST_BYTES = 16 * 1024
/** No call of the library has a tenth of them. */
const LIMITS: JsonLimits = { values: 500, textBytes: MOST_BYTES }

interface CheckedRequest {
  request: Request
  /** The fields of its JSON; none for a form or for JSON that is not an object. */
  fields: Fields
}

/**
 * The library also reads forms, plain text and bytes. Our limits and checks read JSON, so every other body is refused,
 * and the library gets the JSON that was checked, whatever was sent.
 */
export async function checkBody(c: Context<Env>): Promise<CheckedRequest> {
  const request = c.req.raw
  if (request.method !== 'POST') return { request, fields: {} }
  return withBody(c, { mostBytes: MOST_BYTES, caller: callerOf(c) }, async (bytes) => {
    const type = request.headers.get('content-type')
    if (takesForm(request)) return { request: withText(request, type, bytes.toString('utf8')), fields: {} }
    if (bytes.length === 0) return { request: withText(request, null, null), fields: {} }
    if (!isJson(type)) throw notJson()
    const value = withoutNul(await parseJson(bytes, LIMITS))
    const fields = value !== null && typeof value === 'object' ? { ...value } : {}
    return { request: withText(request, 'application/json', JSON.stringify(value)), fields }
  })
}

/** Buttons of our confirmation pages, and providers that return by a form. Neither carries an address or a password. */
function takesForm({ url, headers }: Request): boolean {
  const type = headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  const path = new URL(url).pathname.slice(BASE_PATH.length).replace(/\/+$/, '')
  return type === 'application/x-www-form-urlencoded' && (isLandingForm(path) || /^\/callback\/[^/]+$/.test(path))
}

const isLandingForm = (path: string) => landingOf(path) !== null && path.endsWith('/open')

function withText(request: Request, type: string | null, body: string | null): Request {
  const headers = new Headers(request.headers)
  for (const name of ['content-type', 'content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name)
  if (type !== null) headers.set('content-type', type)
  return new Request(request.url, { method: request.method, headers, body })
}
