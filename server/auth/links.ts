import { escapeHtml, htmlPage } from '#server/lib/html.ts'

/** Where the links of emails lead, relative to the base path, and which call of the library acts behind each. */
export const landings = {
  '/magic-link/open': '/magic-link/verify',
  '/verify-email/open': '/verify-email',
  '/delete-user/open': '/delete-user/callback',
  '/join-account/open': '/join-account',
} as const
export type Landing = keyof typeof landings

export const carried = ['token', 'callbackURL', 'newUserCallbackURL', 'errorCallbackURL', 'from'] as const

/** The landing that a path belongs to: itself, or the call behind it opened directly. */
export function landingOf(path: string): Landing | null {
  const found = Object.entries(landings).find(([landing, call]) => path === landing || path === call)
  return found ? (found[0] as Landing) : null
}

/** The address that an email carries, with the mark of the browser that asked for it. */
export function openingLink(url: string, mark?: string | null): string {
  const link = new URL(url)
  for (const [landing, call] of Object.entries(landings)) {
    if (link.pathname.endsWith(call)) link.pathname = link.pathname.slice(0, -call.length) + landing
  }
  if (mark) link.searchParams.set('from', mark)
  return link.href
}

export interface Question {
  title: string
  /** Sentences under the title. */
  text: string[]
  button: string
  /** The way out that changes nothing. */
  stay?: string
}

/** A page that asks before a link acts. The button posts, so that nothing which merely follows links can press it. */
export function questionPage(question: Question, action: string, fields: [string, string][], appName: string): string {
  const { title, text, button, stay } = question
  const hidden = fields.map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  )
  return htmlPage({
    title: `${title} — ${appName}`,
    // Without a referrer a browser posts from nowhere, and we could not tell our page from a foreign one.
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
