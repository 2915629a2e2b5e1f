import type { LimitName } from '#server/http/limit-table.ts'
import type { Limits } from '#server/http/limits.ts'

interface Rule {
  perIp?: LimitName
  /** Counted by the e-mail address in the body, whoever asks. */
  perAddress?: LimitName
}

const reset: Rule = {
  perIp: 'reset-ip',
  perAddress: 'reset-address',
}

const rules: Record<string, Rule> = {
  '/sign-in/magic-link': {
    perIp: 'link-ip',
    perAddress: 'link-address',
  },
  '/sign-in/email': { perIp: 'password-ip' },
  '/sign-up/email': { perIp: 'sign-up-ip' },
  '/request-password-reset': reset,
  '/forget-password': reset,
  '/send-verification-email': {
    perIp: 'verify-ip',
    perAddress: 'verify-address',
  },
  '/change-email': { perIp: 'change-email-ip' },
}

/** Holds back guessing and letter floods before the sign-in library does any work. */
export async function limitSignIn(limits: Limits, request: Request, ip: string): Promise<void> {
  await limits('auth', ip)
  const rule = rules[new URL(request.url).pathname.replace(/^\/api\/auth/, '').replace(/\/+$/, '')]
  if (!rule || request.method !== 'POST') return
  if (rule.perIp) await limits(rule.perIp, ip)
  const address = rule.perAddress && (await addressIn(request))
  if (rule.perAddress && address) await limits(rule.perAddress, address)
}

async function addressIn(request: Request): Promise<string | null> {
  try {
    const body: unknown = await request.clone().json()
    const email = body !== null && typeof body === 'object' && 'email' in body ? body.email : null
    return typeof email === 'string' ? email.trim().toLowerCase().slice(0, 320) : null
  } catch {
    return null
  }
}
