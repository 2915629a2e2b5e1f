import { accountApi } from '#contract/account.ts'
import { authApi } from '#contract/auth.ts'
import { ApiError } from '#contract/errors.ts'
import type { EmailMessage } from '#server/email/mail.ts'
import type { TestApp } from '#server/testing/app.ts'
import type { Visitor } from '#server/testing/visitor.ts'

export const PASSWORD = 'correct horse battery'

let people = 0
export const newAddress = (name = 'person') => `${name}-${++people}@example.test`

export function emailTo({ outbox }: { outbox: EmailMessage[] }, address: string, subject = ''): EmailMessage {
  const mail = outbox.findLast((candidate) => candidate.to === address && candidate.subject.includes(subject))
  if (!mail) throw new Error(`No email «${subject}» to ${address}`)
  return mail
}

export const emailsTo = ({ outbox }: { outbox: EmailMessage[] }, address: string) =>
  outbox.filter(({ to }) => to === address)

export function linkIn({ text }: EmailMessage): string {
  const url = text.match(/https?:\/\/\S+/)?.[0]
  if (!url) throw new Error('No link in the email')
  return url
}

/** The link in the latest email to an address, with this in its subject. */
export const linkTo = (app: { outbox: EmailMessage[] }, address: string, subject?: string) =>
  linkIn(emailTo(app, address, subject))

export function codeIn({ text }: EmailMessage): string {
  const code = text.match(/(?<!\d)\d{6}(?!\d)/)?.[0]
  if (!code) throw new Error('No code in the email')
  return code
}

/** Opens a link from an email and submits the confirmation page, if there is one. */
export async function follow(visitor: Visitor, url: string): Promise<Response> {
  const answer = await visitor.fetch(url)
  if (!answer.headers.get('content-type')?.startsWith('text/html')) return answer
  return submitForm(visitor, await answer.text())
}

export function submitForm(visitor: Visitor, html: string, headers: Record<string, string> = {}): Promise<Response> {
  const action = html.match(/<form method="post" action="([^"]+)"/)?.[1]
  if (!action) throw new Error('The page has no button')
  const body = new URLSearchParams()
  for (const [, name = '', value = ''] of html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g))
    body.set(name, value.replaceAll('&amp;', '&'))
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return visitor.fetch(action, { method: 'POST', headers: { ...type, ...headers }, body: body.toString() })
}

/** A user with a password, a verified address and a session. */
export async function withPassword(app: TestApp, email = newAddress('password'), password = PASSWORD) {
  const visitor = app.visitor()
  await visitor.call(accountApi.signUpEmail, { body: { email, password, name: 'Анна' } })
  await follow(visitor, linkTo(app, email, 'Подтвердите'))
  const { user, token } = await visitor.call(authApi.signInEmail, { body: { email, password } })
  if (!user || !token) throw new Error(`${email} could not sign in`)
  return { ...visitor, email, user, token }
}

export async function isSignedIn(visitor: Visitor): Promise<boolean> {
  return (await visitor.call(authApi.getSession, {})) !== null
}

export async function errorOf(call: Promise<unknown>): Promise<{ status: number; code: string; message: string }> {
  try {
    await call
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status, code: error.code, message: error.message }
    throw error
  }
  throw new Error('The call was expected to fail')
}
