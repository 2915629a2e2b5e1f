import { escapeHtml, htmlPage } from '#server/lib/html.ts'

/** Where the letters' links lead, relative to the base path, and where the page behind them goes on to. */
const landings = {
  '/magic-link/open': { next: '/magic-link/verify', title: 'Вход', button: 'Войти' },
  '/verify-email/open': { next: '/verify-email', title: 'Подтверждение почты', button: 'Подтвердить' },
} as const

export const LANDING_SCRIPT = '/magic-link/open.js'
const carried = ['token', 'callbackURL', 'newUserCallbackURL', 'errorCallbackURL'] as const

/** Mail scanners open every link. They stop at a page of ours, so they neither use a link up nor confirm anything. */
export function openingLink(url: string): string {
  const link = new URL(url)
  for (const [path, { next }] of Object.entries(landings)) {
    if (link.pathname.endsWith(next)) link.pathname = link.pathname.slice(0, -next.length) + path
  }
  return link.href
}

/** The page behind a letter's link, or null if the path is none of these. */
export function landingPage(path: string, query: URLSearchParams, basePath: string, appName: string): string | null {
  const landing = landings[path as keyof typeof landings]
  if (!landing) return null
  const onward = new URLSearchParams()
  for (const name of carried) {
    const value = query.get(name)
    if (value) onward.set(name, value)
  }
  if (path === '/magic-link/open' && !onward.has('errorCallbackURL')) onward.set('errorCallbackURL', '/auth/signin')
  return page({
    title: `${landing.title} — ${appName}`,
    button: landing.button,
    href: `${basePath}${landing.next}?${onward}`,
    script: basePath + LANDING_SCRIPT,
  })
}

/** Goes on at once, without leaving the used link in the browser's history. */
export const landingScript = "location.replace(document.getElementById('go').href)\n"

function page({
  title,
  button,
  href,
  script,
}: {
  title: string
  button: string
  href: string
  script: string
}): string {
  return htmlPage({
    title,
    style: 'body { min-height: 100vh; display: grid; place-items: center; }',
    body: `<a class="button" id="go" href="${escapeHtml(href)}" rel="nofollow">${escapeHtml(button)}</a>
<script src="${escapeHtml(script)}" defer></script>`,
  })
}
