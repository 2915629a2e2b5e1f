import { STATUS_CODES } from 'node:http'
import type { ErrorBody } from '#contract/errors.ts'
import { errorPage } from '#server/http/errors.ts'

/** Converts the library's responses to the specification's codes and to our one error body. */
export async function convertResponse(answer: Response, appUrl: string): Promise<Response> {
  const headers = new Headers(answer.headers)
  const location = headers.get('location')
  if (location !== null) headers.set('location', convertLocation(location, appUrl))
  if (answer.status < 400)
    return location === null ? answer : new Response(answer.body, { status: answer.status, headers })
  headers.set('content-type', 'application/json')
  const body = parse(await answer.text())
  const status = badInput.has(body.code) ? 400 : answer.status
  return new Response(JSON.stringify(errorBody(status, body)), { status, headers })
}

/** Errors the library reports as 500 although the client sent invalid data. */
const badInput = new Set<unknown>(['FAILED_TO_VERIFY_REGISTRATION'])

export function convertLocation(location: string, appUrl: string): string {
  // The library checks `/x/..//evil.example` and then reduces it to `//evil.example`, which browsers treat as another
  // site.
  const safe = location.replace(/^[/\\]{2,}/, '/')
  if (safe.includes('error=BANNED_USER')) return `${appUrl}/error?error=banned`
  return safe.replace(/([?&]error=)email_does_not_match\b/, "$1email_doesn't_match")
}

export function errorBody(status: number, body: { code?: unknown; message?: unknown }): ErrorBody {
  const message = typeof body.message === 'string' && body.message ? body.message : (STATUS_CODES[status] ?? 'Error')
  const code = typeof body.code === 'string' && body.code ? body.code : codeOf(message)
  return { status, code, message }
}

function codeOf(message: string): string {
  return message
    .toUpperCase()
    .replace(/\s+/g, '_')
    .replace(/[^\p{L}\d_]/gu, '')
}

function parse(text: string): { code?: unknown; message?: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    return value !== null && typeof value === 'object' ? value : {}
  } catch {
    return {}
  }
}

export const BASE_PATH = '/api/auth'
const callbackFields = ['code', 'error', 'device_id', 'error_description', 'state', 'user', 'iss']

/** Our own pages under the library's base path; null passes the request to the library. */
export function answerPage(request: Request, appName: string): Response | null {
  if (request.method !== 'GET' && request.method !== 'HEAD') return null
  const { pathname, searchParams } = new URL(request.url)
  const path = pathname.slice(BASE_PATH.length)
  if (path === '/error') return html(errorPage(searchParams.get('error') ?? undefined, appName))
  if (path.startsWith('/callback/') && callbackFields.some((name) => searchParams.getAll(name).length > 1)) {
    return redirect(`${BASE_PATH}/error?error=invalid_callback_request`)
  }
  return null
}

export function html(body: string): Response {
  return new Response(body, { headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' } })
}

export function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { location } })
}
