import type { DeclineReason } from '#contract/payments.ts'
import type { GatewayTransaction } from '#server/payments/gateway.ts'

type Declined = Pick<GatewayTransaction, 'message'> & Partial<Pick<GatewayTransaction, 'payment'>>

/** Answer codes of banks (ISO 8583), which the gateway passes on. `05` gives no reason. */
const byCode: Record<string, DeclineReason> = {
  '51': 'funds',
  '61': 'limit',
  '65': 'limit',
  '13': 'limit',
  '33': 'expired',
  '54': 'expired',
  '14': 'details',
  '15': 'details',
  '55': 'details',
  '82': 'details',
  N7: 'details',
  '04': 'blocked',
  '07': 'blocked',
  '36': 'blocked',
  '41': 'blocked',
  '43': 'blocked',
  '57': 'blocked',
  '62': 'blocked',
  '1A': 'confirmation',
  '19': 'bank',
  '91': 'bank',
  '96': 'bank',
}

/** Reasons of ЮKassa; `general_decline` gives none. */
const byReason: Record<string, DeclineReason> = {
  insufficient_funds: 'funds',
  payment_method_limit_exceeded: 'limit',
  card_expired: 'expired',
  invalid_card_number: 'details',
  invalid_csc: 'details',
  payment_method_restricted: 'blocked',
  '3d_secure_failed': 'confirmation',
  issuer_unavailable: 'bank',
  country_forbidden: 'country',
  fraud_suspected: 'suspicion',
  identification_required: 'identity',
  permission_revoked: 'revoked',
  internal_timeout: 'timeout',
  general_decline: 'other',
  call_issuer: 'other',
  // A payment that waits to be captured: cancelled in the back office, or forgotten there.
  canceled_by_merchant: 'shop',
  expired_on_capture: 'timeout',
  // Our own word: no bank was asked.
  refused_by_gateway: 'shop',
  unsupported_mobile_operator: 'blocked',
}

/** Declines that may pass by themselves: a charge of a saved method is tried again. */
const passing: DeclineReason[] = ['funds', 'limit', 'bank', 'timeout', 'shop', 'other']
export const mayPass = (reason: DeclineReason | null) => reason === null || passing.includes(reason)

/** Where there is no code, the words of the gateway are read, in English and in Russian. */
const byWords: [RegExp, DeclineReason][] = [
  [/insufficient|not enough|недостаточно|не хватает/i, 'funds'],
  [/limit|exceed|лимит|превыш/i, 'limit'],
  [/3-?d[ -]?s|authentic|secure|аутентифик|подтвержд/i, 'confirmation'],
  [/expired card|card.{0,40}expired|истёк|истек|срок действия/i, 'expired'],
  [/lost|stolen|restricted|blocked|not permitted|блокир|запрещ/i, 'blocked'],
  [/invalid (card|cvc|cvv|number|expir)|incorrect|wrong (pin|cvc|cvv)|неверн|некорректн/i, 'details'],
  [/unavailable|timeout|timed out|system error|недоступ/i, 'bank'],
]

export function declineReasonOf({ message, payment }: Declined): DeclineReason {
  const code = payment?.bank_code?.trim().toUpperCase() ?? ''
  const known = byCode[code] ?? byCode[code.padStart(2, '0')]
  if (known) return known
  const named = byReason[message ?? '']
  if (named) return named
  const words = `${payment?.message ?? ''} ${message ?? ''}`
  return byWords.find(([pattern]) => pattern.test(words))?.[1] ?? 'other'
}
