import type { App } from '#server/http/route.ts'
import { notFound } from '#server/lib/errors.ts'
import type { Mailbox } from './mailbox.ts'
import { emailPage, mailboxPage } from './mailbox-pages.ts'

const headers = { 'cache-control': 'no-store' }

/** The development mailbox. Never mounted in production: it shows every sign-in link. */
export function mailboxRoutes(app: App, mailbox: Mailbox): void {
  app.get('/dev/mail', async (c) => c.html(mailboxPage(await mailbox.list()), 200, headers))
  app.get('/dev/mail.json', async (c) => c.json(await mailbox.list(), 200, headers))
  app.get('/dev/mail/:id', async (c) => {
    const message = await mailbox.get(c.req.param('id'))
    if (!message) throw notFound('Такого письма нет. Возможно, оно уже вытеснено новыми.')
    return c.html(emailPage(message), 200, headers)
  })
}
