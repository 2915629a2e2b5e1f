import { randomBytes } from 'node:crypto'
import type { GenericEndpointContext } from 'better-auth'
import * as z from 'zod'
import { hashToken } from './sign-in-token.ts'

const Join = z.object({ userId: z.string(), providerId: z.string(), accountId: z.string() })
type Join = z.infer<typeof Join>

const HOUR_MS = 3_600_000

export const joinIdentifier = (token: string): string => `join-account:${hashToken(token)}`

export function readJoin(value: string): Join | null {
  return Join.safeParse(JSON.parse(value)).data ?? null
}

/** Keeps what would be joined, under a token that only an email knows; null if the provider does not say who it is. */
export async function requestJoin(
  ctx: GenericEndpointContext,
  { userId, providerId, profile }: { userId: string; providerId: string; profile: Record<string, unknown> },
): Promise<string | null> {
  const provider = ctx.context.socialProviders.find(({ id }) => id === providerId)
  const subject = await provider?.accountSubject({ tokens: {}, profile })
  const accountId = String(subject ?? '').trim()
  if (!accountId) return null
  const token = randomBytes(24).toString('base64url')
  await ctx.context.internalAdapter.createVerificationValue({
    identifier: joinIdentifier(token),
    value: JSON.stringify({ userId, providerId, accountId } satisfies Join),
    expiresAt: new Date(Date.now() + HOUR_MS),
  })
  return token
}
