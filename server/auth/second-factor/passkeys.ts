import { passkey } from '@better-auth/passkey'
import { verifyAuthenticationResponse } from '@simplewebauthn/server'
import type { GenericEndpointContext } from 'better-auth'
import { APIError, getSessionFromCtx } from 'better-auth/api'
import { and, eq } from 'drizzle-orm'
import * as z from 'zod'
import { passkeys } from '#server/db/schema.ts'
import { textOf } from '../compat/endpoint.ts'
import type { AuthDeps } from '../deps.ts'

const CHALLENGE_COOKIE = 'passkey_challenge'

/** A passkey replaces both steps, so the device must have verified the user by PIN or biometrics. */
function mustBeVerified(userVerified: boolean | undefined): void {
  if (userVerified) return
  throw APIError.from('UNAUTHORIZED', {
    code: 'USER_NOT_VERIFIED',
    message: 'Устройство не проверило, что это вы. Включите на нём код, отпечаток или лицо и повторите.',
  })
}

/** The contract requires a session and a fresh proof; the library would reject a session older than a day. */
export function passkeyPlugin({ db, appName, appUrl }: AuthDeps) {
  return passkey({
    rpID: new URL(appUrl).hostname,
    rpName: appName,
    origin: appUrl,
    advanced: { webAuthnChallengeCookie: CHALLENGE_COOKIE },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: {
      requireSession: false,
      afterVerification: ({ verification }) => mustBeVerified(verification.registrationInfo?.userVerified),
    },
    authentication: {
      afterVerification: async ({ ctx, verification, clientData }) => {
        mustBeVerified(verification.authenticationInfo?.userVerified)
        const session = await getSessionFromCtx(ctx as GenericEndpointContext)
        if (!session) return
        const [owner] = await db
          .select({ userId: passkeys.userId })
          .from(passkeys)
          .where(eq(passkeys.credentialID, textOf(clientData.id)))
        if (owner?.userId === session.user.id) return
        throw APIError.from('FORBIDDEN', {
          code: 'ANOTHER_USER',
          message: 'Это ключ другого аккаунта. Сначала выйдите из этого.',
        })
      },
    },
  })
}

const Challenge = z.object({ type: z.literal('authentication'), expectedChallenge: z.string() })

/** Verifies a passkey against the challenge stored for this browser, without creating a session. */
export async function passkeyProves(
  ctx: GenericEndpointContext,
  { db, appUrl }: AuthDeps,
  userId: string,
  response: Record<string, unknown>,
): Promise<boolean> {
  const cookie = ctx.context.createAuthCookie(CHALLENGE_COOKIE)
  const token = await ctx.getSignedCookie(cookie.name, ctx.context.secret)
  const stored = token && (await ctx.context.internalAdapter.consumeVerificationValue(token))
  const challenge = Challenge.safeParse(stored ? JSON.parse(stored.value) : null)
  const [known] = await db
    .select()
    .from(passkeys)
    .where(and(eq(passkeys.credentialID, textOf(response.id)), eq(passkeys.userId, userId)))
  if (!challenge.success || !known) return false
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    // The library checks the fields of the browser's answer itself.
    response: response as unknown as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge: challenge.data.expectedChallenge,
    expectedOrigin: appUrl,
    expectedRPID: new URL(appUrl).hostname,
    credential: {
      id: known.credentialID,
      publicKey: new Uint8Array(Buffer.from(known.publicKey, 'base64')),
      counter: known.counter,
    },
    requireUserVerification: true,
  }).catch(() => ({ verified: false, authenticationInfo: null }))
  if (!verified || !authenticationInfo) return false
  await db.update(passkeys).set({ counter: authenticationInfo.newCounter }).where(eq(passkeys.id, known.id))
  return true
}
