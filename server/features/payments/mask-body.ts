/** What the gateway sends holds data of cards and people; the story of a payment needs none of it. */

const MASK = '•••'
/** By name, wherever they stand. */
const secret =
  /token|stamp|secret|signature|password|auth_code|rrn|ref_id|holder|^bin$|first_1|^exp_|cvc|cvv|^number$|^ip$|device_id|birth_date|phone|public_key|^(first|last|middle)_name$|^(address|city|zip)$/i
/** Whatever stands inside is about where a person lives. */
const secretParts = /^(billing_address|additional_data|browser|avs_cvc_verification)$/
/** Names of the gateway and of ours: they are no card numbers, however many digits they have. */
const names = /^(uid|id|tracking_id|parent_uid)$/
/** A whole card number, also with spaces between its groups. */
const CARD_NUMBER = /\b(?:\d[ -]?){12,18}\d\b/g
const PASS_IN_ADDRESS = /([?&](?:token|hash|sign|key)=)[^&#]+/gi
const EMAIL = /[\w.%+-]+@[\w-]+(?:\.[\w-]+)+/g
const IP = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g

export function maskBody(value: unknown, name = ''): unknown {
  if (value === null || typeof value === 'boolean') return value
  if (secret.test(name) || secretParts.test(name)) return MASK
  if (typeof value === 'string') return names.test(name) ? value : maskText(value)
  if (Array.isArray(value)) return value.map((item) => maskBody(item))
  if (typeof value !== 'object') return value
  if (name === 'customer') return maskPayer(value)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskBody(inner, key)]))
}

/** Of the payer only a hint of the address stays. */
function maskPayer(customer: object): object {
  return Object.fromEntries(
    Object.entries(customer).map(([key, inner]) => {
      if (inner === null) return [key, null]
      return [key, key === 'email' && typeof inner === 'string' ? maskText(inner) : MASK]
    }),
  )
}

function maskText(text: string): string {
  return text
    .replace(CARD_NUMBER, MASK)
    .replace(PASS_IN_ADDRESS, `$1${MASK}`)
    .replace(EMAIL, (email) => `${email[0]}${MASK}${email.slice(email.lastIndexOf('@'))}`)
    .replace(IP, MASK)
}
