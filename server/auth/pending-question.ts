import { createAuthMiddleware } from 'better-auth/api'
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto'
import { and, eq, gt } from 'drizzle-orm'
import * as z from 'zod'
import { MAGIC_LINK_MINUTES } from '#contract/auth.ts'
import { PENDING_MINUTES } from '#contract/auth-factors.ts'
import { PendingQuestion, QUESTION_COOKIE } from '#contract/pending-question.ts'
import { verifications } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { keyFor } from '#server/lib/secrets.ts'
import { textOf } from './compat/endpoint.ts'
import type { AuthDeps } from './deps.ts'
import { cookieOf, hashIn } from './devices.ts'
import { hashToken } from './links.ts'

/**
 * The question beside a requested sign-in link, for an email that is opened in another browser. The text is encrypted;
 * neither the email nor any address has it. A cookie leads the browser that opened the link to it.
 */

export interface LinkMetadata {
  question?: PendingQuestion
}

type Deps = Pick<AuthDeps, 'db' | 'secret' | 'appUrl'>

/** The last moment of the link, and the second step after it. */
const SECONDS = (MAGIC_LINK_MINUTES + PENDING_MINUTES) * 60

const Stored = z.object({ email: z.string(), question: PendingQuestion })

const identifierOf = (tokenHash: string) => `pending-question:${tokenHash}`
const keyOf = ({ secret }: Pick<Deps, 'secret'>) => keyFor(secret, 'pending questions').toString('base64url')
const isLive = (tokenHash: string) =>
  and(eq(verifications.identifier, identifierOf(tokenHash)), gt(verifications.expiresAt, new Date()))

interface QuestionRow {
  email: string
  token: string
  question: PendingQuestion
}

export async function storePendingQuestion(deps: Deps, { email, token, question }: QuestionRow): Promise<void> {
  const stored: z.infer<typeof Stored> = { email: email.toLowerCase(), question }
  await deps.db.insert(verifications).values({
    id: newId(),
    identifier: identifierOf(hashToken(token)),
    value: await symmetricEncrypt({ key: keyOf(deps), data: JSON.stringify(stored) }),
    expiresAt: new Date(Date.now() + SECONDS * 1000),
  })
}

/** The cookie is no key by itself: only a session of the same address reads the question. */
export function rememberQuestionAfter({ db, appUrl }: AuthDeps) {
  return {
    matcher: ({ path }: { path?: string | undefined }) => path === '/magic-link/verify',
    handler: createAuthMiddleware(async (ctx) => {
      const tokenHash = hashToken(textOf(ctx.query?.token))
      const [row] = await db.select({ id: verifications.id }).from(verifications).where(isLive(tokenHash))
      if (row) ctx.setHeader('set-cookie', cookieOf(QUESTION_COOKIE, tokenHash, SECONDS, appUrl))
    }),
  }
}

/** The question of the link that was opened in this browser, if its address is the caller's. */
export async function readPendingQuestion(
  deps: Deps,
  headers: Headers,
  email: string,
): Promise<PendingQuestion | null> {
  const tokenHash = hashIn(headers, QUESTION_COOKIE, deps.appUrl)
  if (!tokenHash) return null
  const [row] = await deps.db.select().from(verifications).where(isLive(tokenHash))
  if (!row) return null
  const stored = Stored.parse(JSON.parse(await symmetricDecrypt({ key: keyOf(deps), data: row.value })))
  return stored.email === email.toLowerCase() ? stored.question : null
}

/** Deletes the caller's question, and returns the header that deletes the cookie. */
export async function forgetPendingQuestion(deps: Deps, headers: Headers, email: string): Promise<string> {
  const tokenHash = hashIn(headers, QUESTION_COOKIE, deps.appUrl)
  if (tokenHash && (await readPendingQuestion(deps, headers, email)))
    await deps.db.delete(verifications).where(eq(verifications.identifier, identifierOf(tokenHash)))
  return cookieOf(QUESTION_COOKIE, '', 0, deps.appUrl)
}
