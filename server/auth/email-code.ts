import { createHmac, randomInt } from 'node:crypto'
import type { GenericEndpointContext } from 'better-auth'
import { APIError, createAuthEndpoint, formCsrfMiddleware } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { parseUserOutput, revokeUnprovenAccountAccess } from 'better-auth/db'
import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { MAGIC_LINK_MINUTES } from '#contract/auth.ts'
import { CODE_LENGTH } from '#contract/auth-factors.ts'
import { verifications } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'
import { isSameSecret, keyFor } from '#server/lib/secrets.ts'
import type { AuthDeps } from './deps.ts'
import { deviceIn, forgetFormerOwner } from './devices.ts'
import { hashToken, readSignInRow, signInIdentifier } from './links.ts'

/**
 * The six digits beside the sign-in link, for people who read mail on another device. A second key to the link's row: it
 * works only in the browser that asked for it and while the link is unused, and entering it uses the link up.
 */

const MAX_TRIES = 5

const CodeRow = z.object({ code: z.string(), link: z.string(), tries: z.number() })
type CodeRow = z.infer<typeof CodeRow>

interface CodeRequest {
  email: string
  /** The device cookie of the browser that asked for the code. */
  device: string
}

/** Stores a new code instead of the former one of this address and browser, and returns its digits. */
export async function createEmailCode(deps: AuthDeps, request: CodeRequest & { token: string }): Promise<string> {
  const code = String(randomInt(10 ** CODE_LENGTH)).padStart(CODE_LENGTH, '0')
  const identifier = identifierOf(deps, request)
  const row: CodeRow = { code: sealed(deps, request, code), link: hashToken(request.token), tries: 0 }
  await deps.db.transaction(async (tx) => {
    await tx.delete(verifications).where(eq(verifications.identifier, identifier))
    await tx.insert(verifications).values({
      id: newId(),
      identifier,
      value: JSON.stringify(row),
      expiresAt: new Date(Date.now() + MAGIC_LINK_MINUTES * 60_000),
    })
  })
  return code
}

export function emailCodeEndpoints(deps: AuthDeps) {
  return {
    signInEmailCode: createAuthEndpoint(
      '/sign-in/email-code',
      {
        method: 'POST',
        body: z.object({ email: z.string(), code: z.string(), callbackURL: z.string().optional() }),
        use: [formCsrfMiddleware],
        requireHeaders: true,
      },
      async (ctx) => {
        const link = await checkCode(ctx, deps)
        const row = await ctx.context.internalAdapter.consumeVerificationValue(signInIdentifier(link))
        const request = row && row.expiresAt > new Date() ? readSignInRow(row.value) : null
        if (!request) throw expired()
        const user = await ownerOf(ctx, deps, request)
        const session = await ctx.context.internalAdapter.createSession(user.id)
        await setSessionCookie(ctx, { session, user })
        const { callbackURL } = ctx.body
        return ctx.json({
          redirect: Boolean(callbackURL),
          token: session.token,
          url: callbackURL ?? null,
          user: parseUserOutput(ctx.context.options, user),
        })
      },
    ),
  }
}

/** The hash of the link's token if the code is right. */
async function checkCode(ctx: GenericEndpointContext, deps: AuthDeps): Promise<string> {
  const email = String(ctx.body.email).trim().toLowerCase().slice(0, 320)
  const device = deviceIn(ctx.headers, deps.appUrl)
  const request = device && { email, device }
  const row = request && (await countTry(deps, request))
  if (!row) throw expired()
  if (row.tries > MAX_TRIES) throw tooMany()
  await deps.limits?.('code-address', email)
  if (!isSameSecret(sealed(deps, request, String(ctx.body.code).replace(/\s/g, '')), row.code))
    throw row.tries === MAX_TRIES ? tooMany() : wrong(MAX_TRIES - row.tries)
  await deps.limits?.('code-address', email, 'give back')
  return row.link
}

/** Counts a try before it is judged, so that parallel guesses count too; null when no code is waiting. */
async function countTry({ db, ...deps }: AuthDeps, request: CodeRequest): Promise<CodeRow | null> {
  const mine = eq(verifications.identifier, identifierOf(deps, request))
  return db.transaction(async (tx) => {
    const [stored] = await tx.select().from(verifications).where(mine).for('update')
    if (!stored || stored.expiresAt <= new Date()) return null
    const row = CodeRow.parse(JSON.parse(stored.value))
    const counted = { ...row, tries: row.tries + 1 }
    await tx
      .update(verifications)
      .set({ value: JSON.stringify(counted) })
      .where(mine)
    return counted
  })
}

/** As after the library's link: a new account, or an existing one without its unproven sign-in methods. */
async function ownerOf(
  ctx: GenericEndpointContext,
  { db }: AuthDeps,
  { email, name }: { email: string; name?: string | undefined },
) {
  const { internalAdapter } = ctx.context
  const found = (await internalAdapter.findUserByEmail(email))?.user
  if (!found)
    return internalAdapter.createUser({ email, emailVerified: true, name: name ?? '' }, { method: 'magic-link' })
  if (found.emailVerified) return found
  await forgetFormerOwner(db, found.id)
  const owner = await revokeUnprovenAccountAccess(ctx, found.id)
  if (!owner) throw expired()
  return owner
}

const keyOf = ({ secret }: Pick<AuthDeps, 'secret'>) => keyFor(secret, 'sign-in codes')
const hmac = (deps: Pick<AuthDeps, 'secret'>, ...parts: string[]) =>
  createHmac('sha256', keyOf(deps)).update(parts.join('\n')).digest('base64url')
const identifierOf = (deps: Pick<AuthDeps, 'secret'>, { device, email }: CodeRequest) =>
  `sign-in-code:${hmac(deps, 'row', device, email.trim().toLowerCase())}`
const sealed = (deps: Pick<AuthDeps, 'secret'>, { device, email }: CodeRequest, code: string) =>
  hmac(deps, 'code', device, email.trim().toLowerCase(), code)

const expired = () =>
  APIError.from('BAD_REQUEST', {
    code: 'CODE_EXPIRED',
    message: `Код уже сработал, ему больше ${MAGIC_LINK_MINUTES}\u00a0минут или его запросили в другом браузере. Запросите новое письмо.`,
  })
const wrong = (left: number) =>
  APIError.from('BAD_REQUEST', {
    code: 'INVALID_CODE',
    message: `Код не подошёл. Проверьте цифры: нужен код из последнего письма. Осталось попыток: ${left}.`,
  })
const tooMany = () =>
  APIError.from('BAD_REQUEST', {
    code: 'TOO_MANY_CODES',
    message: 'Код ввели неверно пять раз, и он больше не действует. Откройте ссылку из письма или запросите новое.',
  })
