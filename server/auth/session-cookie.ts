/**
 * Under https, authentication cookies use the `__Host-` prefix, so no other host of the domain can set them. The
 * library only knows `__Secure-`, so its option is off and name and `Secure` are set here.
 */
const HOST_PREFIX = '__Host-better-auth'
const TOKEN = 'session_token'
const FORMER = `__Secure-better-auth.${TOKEN}`

export const cookieOptions = (appUrl: string) =>
  appUrl.startsWith('https:')
    ? { useSecureCookies: false, cookiePrefix: HOST_PREFIX, defaultCookieAttributes: { secure: true } }
    : {}

/**
 * Accepts the cookie under its former name until the session is next prolonged. Sessions live a week, so this can be
 * removed a week after the release.
 */
export function withFormerCookie(headers: Headers): Headers {
  const cookies = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  const former = cookies.find((pair) => pair.startsWith(`${FORMER}=`))
  if (!former || cookies.some((pair) => pair.startsWith(`${HOST_PREFIX}.${TOKEN}=`))) return headers
  const renamed = new Headers(headers)
  renamed.set('cookie', [...cookies, `${HOST_PREFIX}.${TOKEN}=${former.slice(FORMER.length + 1)}`].join('; '))
  return renamed
}
