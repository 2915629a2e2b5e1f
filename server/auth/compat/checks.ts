import { BASE_ERROR_CODES, type GenericEndpointContext } from 'better-auth'
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import * as z from 'zod'
import { MAX_PENDING_QUESTION, PendingQuestion } from '#contract/pending-question.ts'
import { ProfileChange } from '#contract/users.ts'
import { canReceiveMail } from '#server/email/mail.ts'
import { inputSentence, unworded } from '#server/http/input-sentence.ts'
import type { AuthDeps } from '../deps.ts'
import { protectedUsers } from './protected-users.ts'
import { assertOwnState, bindState } from './provider-state.ts'
import { EMAIL_TAKEN } from './verify-email.ts'

type Check = (ctx: GenericEndpointContext) => Promise<void> | void

const MAX_ADDRESS = 254
const Address = z.email().max(MAX_ADDRESS)
const LinkMetadata = z.optional(z.strictObject({ question: z.optional(PendingQuestion) }))
const NameAndImage = z.object({ name: ProfileChange.shape.name, image: ProfileChange.shape.image })

/** The library reports a bad address as a general validation error; the specification has its own code. */
function addressIn(field: 'email' | 'newEmail', mustReceiveMail: boolean): Check {
  return ({ body }) => {
    const address: unknown = body?.[field]
    if (typeof address !== 'string') return
    const usable = Address.safeParse(address).success && (canReceiveMail(address) || !mustReceiveMail)
    if (!usable) throw APIError.from('BAD_REQUEST', BASE_ERROR_CODES.INVALID_EMAIL)
  }
}

/** The library would pretend success. The specification names the error, so that the user signs in instead. */
const addressIsFree: Check = async ({ body, context }) => {
  if (typeof body?.email !== 'string') return
  if (!(await context.internalAdapter.findUserByEmail(body.email))) return
  throw APIError.from('UNPROCESSABLE_ENTITY', BASE_ERROR_CODES.USER_ALREADY_EXISTS)
}

/** The same for a new address. Only a signed-in user can ask, at most ten times in ten minutes. */
const newAddressIsFree: Check = async (ctx) => {
  const session = await getSessionFromCtx(ctx)
  const address: unknown = ctx.body?.newEmail
  if (!session || typeof address !== 'string' || address.toLowerCase() === session.user.email) return
  if (await ctx.context.internalAdapter.findUserByEmail(address)) throw APIError.from('BAD_REQUEST', EMAIL_TAKEN)
}

/** The same limits as in the profile; the library has none. An empty name counts as no name. */
const nameAndImage: Check = ({ body }) => {
  const result = NameAndImage.safeParse({ ...body, name: body?.name === '' ? undefined : body?.name }, unworded)
  const [issue] = result.error?.issues ?? []
  if (!issue) return
  throw APIError.from('BAD_REQUEST', { code: 'VALIDATION_ERROR', message: inputSentence(issue, 'users') })
}

/** The library takes any metadata; only a question of the sign-in page is allowed. */
const pendingQuestion: Check = ({ body }) => {
  const metadata: unknown = body?.metadata
  const result = LinkMetadata.safeParse(metadata)
  if (result.success) return
  const [{ path, code }] = result.error.issues as [(typeof result.error.issues)[number]]
  throw APIError.from(
    'BAD_REQUEST',
    code === 'too_big'
      ? {
          code: 'QUESTION_TOO_LONG',
          message: `Вопрос длиннее ${MAX_PENDING_QUESTION} символов. Запросите ссылку без него и отправьте его после входа.`,
        }
      : { code: 'VALIDATION_ERROR', message: `[body.metadata.${path.join('.')}] Неверный вопрос` },
  )
}

/** The library decodes these once too often and fails on a stray percent sign. */
const decodableLinks: Check = ({ query }) => {
  for (const name of ['callbackURL', 'newUserCallbackURL', 'errorCallbackURL']) {
    const value: unknown = query?.[name]
    if (typeof value === 'string' && !canDecode(value)) {
      throw APIError.from('BAD_REQUEST', BASE_ERROR_CODES.INVALID_CALLBACK_URL)
    }
  }
}

function canDecode(value: string): boolean {
  try {
    decodeURIComponent(value)
    return true
  } catch {
    return false
  }
}

/** An admin in an impersonated session must not lock the user out or take the account over. */
const notImpersonated: Check = async (ctx) => {
  const session = await getSessionFromCtx(ctx)
  if (!session?.session.impersonatedBy) return
  throw APIError.from('FORBIDDEN', {
    code: 'IMPERSONATED',
    message: 'Пока вы смотрите глазами пользователя, менять его аккаунт нельзя.',
  })
}

/** These calls send email to the caller's own address; the library would swallow a rejection by the limit. */
function emailToOwner({ limitEmail }: AuthDeps): Record<string, Check> {
  const toOwner: Check = async (ctx) => {
    const session = await getSessionFromCtx(ctx)
    if (session) await limitEmail?.(session.user.email)
  }
  return {
    '/change-email': toOwner,
    '/delete-user': (ctx) => (ctx.body?.password || ctx.body?.token ? undefined : toOwner(ctx)),
  }
}

const checks: Record<string, Check[]> = {
  '/sign-in/magic-link': [addressIn('email', true), nameAndImage, pendingQuestion],
  '/sign-up/email': [addressIn('email', true), nameAndImage, addressIsFree],
  '/change-email': [addressIn('newEmail', true), notImpersonated, newAddressIsFree],
  '/request-password-reset': [addressIn('email', false)],
  '/forget-password': [addressIn('email', false)],
  '/send-verification-email': [addressIn('email', false)],
  '/update-user': [nameAndImage],
  '/magic-link/verify': [decodableLinks],
  '/change-password': [notImpersonated],
  '/create-password': [notImpersonated],
  '/delete-user': [notImpersonated],
  '/link-social': [notImpersonated, bindState],
  '/sign-in/social': [bindState],
  '/callback/:id': [assertOwnState],
  '/unlink-account': [notImpersonated],
  '/get-access-token': [notImpersonated],
  '/refresh-token': [notImpersonated],
  '/revoke-session': [notImpersonated],
  '/revoke-sessions': [notImpersonated],
  '/revoke-other-sessions': [notImpersonated],
}

export function checksBefore(deps: AuthDeps) {
  const ofAdmins = protectedUsers(deps)
  const emails = emailToOwner(deps)
  const before = (path: string) => [checks[path] ?? [], ofAdmins[path] ?? [], emails[path] ?? []].flat()
  return {
    matcher: ({ path }: { path?: string | undefined }) => path !== undefined && (path in checks || path in ofAdmins),
    handler: createAuthMiddleware(async (ctx) => {
      for (const check of before(ctx.path)) await check(ctx)
    }),
  }
}
