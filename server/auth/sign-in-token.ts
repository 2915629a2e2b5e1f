import { createHash } from 'node:crypto'
import type { AuthContext } from 'better-auth'
import * as z from 'zod'

/** What is stored of the token of a sign-in link; the same as the library's own hash, so older links still work. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

const Row = z.object({ type: z.literal('magic-link'), email: z.string() })

type Adapter = Pick<AuthContext['internalAdapter'], 'findVerificationValue'>

/** Whom a sign-in link lets in, without using it up; null if it is used, run out or made up. */
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
