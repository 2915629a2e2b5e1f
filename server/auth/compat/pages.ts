import { errorPage } from '#server/http/error-page.ts'

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
