import { createHash } from 'node:crypto'
import type { AuthContext } from 'better-auth'
import * as z from 'zod'
import { escapeHtml, htmlPage } from '#server/lib/html.ts'

/** Where links in emails lead, relative to the base path, and the library's call behind each. */
export const landings = {
  '/magic-link/open': '/magic-link/verify',
  '/verify-email/open': '/verify-email',
  '/delete-user/open': '/delete-user/callback',
  '/join-account/open': '/join-account',
} as const
export type Landing = keyof typeof landings

export const carriedParams = ['token', 'callbackURL', 'newUserCallbackURL', 'errorCallbackURL', 'from'] as const

/** The landing path of an address: the path itself, or the library's call opened directly. */
export function landingOf(path: string): Landing | null {
  const found = Object.entries(landings).find(([landing, call]) => path === landing || path === call)
  return found ? (found[0] as Landing) : null
}

/** The address for an email, signed for the browser that requested it. */
export function signedEmailLink(url: string, mark?: string | null): string {
  const link = new URL(url)
  for (const [landing, call] of Object.entries(landings)) {
    if (link.pathname.endsWith(call)) link.pathname = link.pathname.slice(0, -call.length) + landing
  }
  if (mark) link.searchParams.set('from', mark)
  return link.href
}

export interface Question {
  title: string
  text: string[]
  button: string
  /** A link that cancels. */
  stay?: string
}

/** A page that asks before a link acts. The button submits a POST, which link scanners do not send. */
export function questionPage(question: Question, action: string, fields: [string, string][], appName: string): string {
  const { title, text, button, stay } = question
  const hidden = fields.map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  return htmlPage({
    title: `${title} — ${appName}`,
    // Without a referrer the browser sends no origin, and our own page could not be recognised.
    referrer: 'same-origin',
    style: `
body { min-height: 100vh; display: grid; place-items: center; }
main { box-sizing: border-box; width: 100%; max-width: 440px; padding: 24px; text-align: center; }
h1 { margin: 0 0 12px; font-size: 22px; overflow-wrap: anywhere; }
p { overflow-wrap: anywhere; }
form { margin: 24px 0 0; display: grid; gap: 12px; }
button.button { border: 0; font: inherit; cursor: pointer; overflow-wrap: anywhere; }
.stay { padding: 12px 24px; color: inherit; overflow-wrap: anywhere; }`,
    body: `<main>
<h1>${escapeHtml(title)}</h1>
${text.map((sentence) => `<p>${escapeHtml(sentence)}</p>`).join('\n')}
<form method="post" action="${escapeHtml(action)}">
${hidden.join('\n')}
<button class="button" type="submit">${escapeHtml(button)}</button>
${stay ? `<a class="stay" href="/">${escapeHtml(stay)}</a>` : ''}
</form>
</main>`,
  })
}

/** The stored hash of a sign-in token; the library's own algorithm, so that older links still work. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

export const signInIdentifier = (tokenHash: string): string => `magic-link:${tokenHash}`

const Row = z.object({ type: z.literal('magic-link'), email: z.string(), name: z.string().optional() })

export const readSignInRow = (value: string) => Row.safeParse(parse(value)).data ?? null

type Adapter = Pick<AuthContext['internalAdapter'], 'findVerificationValue'>

/** The address a sign-in link belongs to, without consuming it; null if it is used, expired or invalid. */
export async function emailOfSignIn(adapter: Adapter, token: string): Promise<string | null> {
  const row = await adapter.findVerificationValue(signInIdentifier(hashToken(token)))
  const request = row && row.expiresAt > new Date() ? readSignInRow(row.value) : null
  return request?.email.toLowerCase() ?? null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
