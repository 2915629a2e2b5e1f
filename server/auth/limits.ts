import type { CurrentSession } from '#server/http/context.ts'
import type { LimitName } from '#server/http/limit-table.ts'
import type { Limits } from '#server/http/limits.ts'

/** The JSON of a request, as the library reads it. */
export type Fields = Record<string, unknown>

interface Rule {
  perIp?: LimitName
  /** Counted by the email address in the body, from any IP. */
  perAddress?: LimitName
  /** Likewise, but a successful attempt is not counted. */
  errorsPerAddress?: LimitName
}

/** Each of them sends an email to the address in the body. */
const link: Rule = { perIp: 'links-ip', perAddress: 'links-address' }

const rules: Record<string, Rule> = {
  '/sign-in/magic-link': link,
  // Wrong codes are also counted per address, once it is known that a code was sent.
  '/sign-in/email-code': { perIp: 'code-ip' },
  '/sign-in/email': { perIp: 'password-ip', errorsPerAddress: 'password-address' },
  '/sign-up/email': { perIp: 'links-ip' },
  '/request-password-reset': link,
  '/forget-password': link,
  '/send-verification-email': link,
  '/change-email': { perIp: 'links-ip' },
}

/** Called when the attempt succeeded. */
export type UncountAttempt = () => Promise<unknown>
const nothingCounted: UncountAttempt = async () => {}

/** Limits guessing and email floods before the library does any work. */
export async function limitSignIn(
  limits: Limits,
  request: Request,
  { email }: Fields,
  ip: string,
): Promise<UncountAttempt> {
  const rule = rules[pathOf(request)]
  if (!rule || request.method !== 'POST') return nothingCounted
  if (rule.perIp) await limits(rule.perIp, ip)
  const { perAddress, errorsPerAddress } = rule
  if (!perAddress && !errorsPerAddress) return nothingCounted
  const address = textOf(email)?.trim().toLowerCase().slice(0, 320)
  if (!address) return nothingCounted
  if (perAddress) await limits(perAddress, address)
  if (!errorsPerAddress) return nothingCounted
  await limits(errorsPerAddress, address)
  return () => limits(errorsPerAddress, address, 'give back')
}

/** Limits every signed-in call that carries a password: a stolen session must not be able to guess it. */
export async function limitPasswordChecks(
  limits: Limits,
  { password, currentPassword }: Fields,
  sessionOf: () => Promise<CurrentSession | null>,
): Promise<UncountAttempt> {
  if (!textOf(password) && !textOf(currentPassword)) return nothingCounted
  const session = await sessionOf()
  if (!session) return nothingCounted
  await limits('password-user', session.user.id)
  return () => limits('password-user', session.user.id, 'give back')
}

const pathOf = ({ url }: Request) => new URL(url).pathname.replace(/^\/api\/auth/, '').replace(/\/+$/, '')
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
