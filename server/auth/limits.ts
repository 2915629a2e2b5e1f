import type { Limit, Limits } from '#server/http/limits.ts'

const TEN_MINUTES = 600
const anyCall: Limit = { name: 'auth', points: 300, seconds: 60 }

interface Rule {
  perIp?: Limit
  /** Counted by the e-mail address in the body, whoever asks. */
  perAddress?: Limit
}

const reset: Rule = {
  perIp: { name: 'reset-ip', points: 60, seconds: TEN_MINUTES },
  perAddress: { name: 'reset-address', points: 3, seconds: TEN_MINUTES },
}

const rules: Record<string, Rule> = {
  '/sign-in/magic-link': {
    perIp: { name: 'link-ip', points: 60, seconds: TEN_MINUTES },
    perAddress: { name: 'link-address', points: 5, seconds: TEN_MINUTES },
  },
  '/sign-in/email': { perIp: { name: 'password-ip', points: 10, seconds: 60 } },
  '/sign-up/email': { perIp: { name: 'sign-up-ip', points: 20, seconds: TEN_MINUTES } },
  '/request-password-reset': reset,
  '/forget-password': reset,
  '/send-verification-email': {
    perIp: { name: 'verify-ip', points: 60, seconds: TEN_MINUTES },
    perAddress: { name: 'verify-address', points: 3, seconds: TEN_MINUTES },
  },
  '/change-email': { perIp: { name: 'change-email-ip', points: 10, seconds: TEN_MINUTES } },
}

/** Holds back guessing and letter floods before the sign-in library does any work. */
export async function limitSignIn(limits: Limits, request: Request, ip: string): Promise<void> {
  await limits(anyCall, ip)
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
