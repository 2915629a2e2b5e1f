/**
 * Under https every cookie of sign-in is bound to this very host: no other name of the domain can set or shadow it.
 * The library knows the weaker `__Secure-` only, so its own switch is off and the name and `Secure` are given here.
 */
const HOST_PREFIX = '__Host-better-auth'
const TOKEN = 'session_token'
const FORMER = `__Secure-better-auth.${TOKEN}`

export const cookieOptions = (appUrl: string) =>
  appUrl.startsWith('https:')
    ? { useSecureCookies: false, cookiePrefix: HOST_PREFIX, defaultCookieAttributes: { secure: true } }
    : {}

/**
 * Reads the session of a browser that signed in before the cookie was renamed; it gets the new name when the session
 * is next prolonged. Sessions live a week, so after that this can go.
 */
export function withFormerCookie(headers: Headers): Headers {
  const cookies = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  const former = cookies.find((pair) => pair.startsWith(`${FORMER}=`))
  if (!former || cookies.some((pair) => pair.startsWith(`${HOST_PREFIX}.${TOKEN}=`))) return headers
  const renamed = new Headers(headers)
  renamed.set('cookie', [...cookies, `${HOST_PREFIX}.${TOKEN}=${former.slice(FORMER.length + 1)}`].join('; '))
  return renamed
}
