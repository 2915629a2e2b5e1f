import { createHash } from 'node:crypto'
import type { AuthContext } from 'better-auth'
import * as z from 'zod'

/** The stored hash of a sign-in token; the library's own algorithm, so that older links still work. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

const Row = z.object({ type: z.literal('magic-link'), email: z.string() })

type Adapter = Pick<AuthContext['internalAdapter'], 'findVerificationValue'>

/** The address a sign-in link belongs to, without consuming it; null if it is used, expired or invalid. */
export async function emailOfSignIn(adapter: Adapter, token: string): Promise<string | null> {
  const row = await adapter.findVerificationValue(`magic-link:${hashToken(token)}`)
  const parsed = Row.safeParse(row && row.expiresAt > new Date() ? parse(row.value) : null)
  return parsed.success ? parsed.data.email.toLowerCase() : null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
