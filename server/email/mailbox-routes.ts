import type { App } from '#server/http/route.ts'
import { notFound } from '#server/lib/errors.ts'
import { escapeHtml, htmlPage } from '#server/lib/html.ts'
import type { Mailbox, StoredEmail } from './mailbox.ts'

const headers = { 'cache-control': 'no-store' }

/** Never mounted in production: it shows every sign-in link. */
export function mailboxRoutes(app: App, mailbox: Mailbox): void {
  app.get('/dev/mail', async (c) => c.html(mailboxPage(await mailbox.list()), 200, headers))
  app.get('/dev/mail.json', async (c) => c.json(await mailbox.list(), 200, headers))
  app.get('/dev/mail/:id', async (c) => {
    const message = await mailbox.get(c.req.param('id'))
    if (!message) throw notFound('Такого письма нет. Возможно, оно уже вытеснено новыми.')
    return c.html(emailPage(message), 200, headers)
  })
}

export function mailboxPage(messages: StoredEmail[]): string {
  const rows = messages.map(
    ({ id, sentAt, to, subject }) =>
      `<li><a href="/dev/mail/${escapeHtml(id)}">${escapeHtml(subject)}</a><br><small>${escapeHtml(to)} · ${moment(sentAt)}</small></li>`,
  )
  return page(
    'Письма',
    `<h1>Письма</h1>
<p>Почтовый сервер не задан, поэтому письма остаются здесь. Видны последние 200. Чтобы письма уходили по-настоящему, задайте SMTP_URL.</p>
${rows.length > 0 ? `<ul>${rows.join('\n')}</ul>` : '<p>Писем пока нет.</p>'}`,
  )
}

export function emailPage({ to, subject, sentAt, text, html }: StoredEmail): string {
  const links = [...text.matchAll(/https?:\/\/\S+/g)].map(([url]) => url)
  return page(
    subject,
    `<p><a href="/dev/mail">← Все письма</a></p>
<h1>${escapeHtml(subject)}</h1>
<p><small>Кому: ${escapeHtml(to)} · ${moment(sentAt)}</small></p>
${links.map((url) => `<p class="link"><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>`).join('\n')}
<iframe title="Письмо" sandbox="allow-top-navigation-by-user-activation" srcdoc="${escapeHtml(`<base target="_top">${html}`)}"></iframe>
<h2>Без оформления</h2>
<pre>${escapeHtml(text)}</pre>`,
  )
}

function moment(iso: string): string {
  return escapeHtml(new Date(iso).toLocaleString('ru-RU', { dateStyle: 'medium', timeStyle: 'medium' }))
}

function page(title: string, body: string): string {
  return htmlPage({
    title,
    style: `
body { max-width: 720px; margin: 0 auto; padding: 24px; }
li { margin: 0 0 12px; }
.link, pre { overflow-wrap: anywhere; white-space: pre-wrap; }
iframe { width: 100%; height: 520px; border: 1px solid #8886; border-radius: 10px; background: Canvas; }`,
    body,
  })
}
