import { call } from '#contract/call.ts'
import type { Answer, Args, JsonEndpoint } from '#contract/endpoint.ts'

export const TEST_ORIGIN = 'http://localhost:3000'

/** A browser without a screen: stores cookies, sends its origin, follows no redirects. */
export interface Visitor {
  fetch: (path: string, init?: RequestInit) => Promise<Response>
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Response>
  call: <E extends JsonEndpoint>(endpoint: E, args: Args<E>) => Promise<Answer<E>>
  cookies: Map<string, string>
}

/** The app in this process, or a server of its own. */
interface Requested {
  request: (path: string, init: RequestInit) => Response | Promise<Response>
}

export function createVisitor(app: Requested): Visitor {
  const cookies = new Map<string, string>()

  async function visit(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers({ origin: TEST_ORIGIN })
    for (const [name, value] of new Headers(init.headers)) headers.set(name, value)
    if (cookies.size > 0) headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const url = new URL(path, TEST_ORIGIN)
    const response = await app.request(url.pathname + url.search, { ...init, headers, redirect: 'manual' })
    for (const line of response.headers.getSetCookie()) keep(cookies, line)
    return response
  }

  return {
    cookies,
    fetch: visit,
    post: (path, body, headers) =>
      visit(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    call: (endpoint, args) => call(endpoint, args, visit),
  }
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';')
  const equals = pair.indexOf('=')
  const name = pair.slice(0, equals).trim()
  const gone = attributes.some((attribute) => /^\s*max-age=0$/i.test(attribute))
  if (gone) cookies.delete(name)
  else cookies.set(name, pair.slice(equals + 1))
}
