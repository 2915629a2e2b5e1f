/** What the gateway sends holds data of cards and people; an administrator needs the story, not these. */

const MASK = '•••'
/** By name, wherever they stand. */
const secret =
  /token|stamp|secret|signature|password|auth_code|rrn|ref_id|holder|^bin$|first_1|^exp_|cvc|cvv|^number$|^ip$|device_id|birth_date|phone|public_key/i
/** Whatever stands inside is about where a person lives. */
const secretParts = /^(billing_address|additional_data|browser|avs_cvc_verification)$/
/** A whole card number, also with spaces between its groups. */
const CARD_NUMBER = /\b(?:\d[ -]?){12,18}\d\b/g
const PASS_IN_ADDRESS = /([?&](?:token|hash|sign|key)=)[^&#]+/gi

export function maskBody(value: unknown, name = ''): unknown {
  if (value === null || typeof value === 'boolean') return value
  if (secret.test(name) || secretParts.test(name)) return MASK
  if (typeof value === 'string') return maskText(value)
  if (Array.isArray(value)) return value.map((item) => maskBody(item))
  if (typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskBody(inner, key)]))
}

function maskText(text: string): string {
  return text.replace(CARD_NUMBER, MASK).replace(PASS_IN_ADDRESS, `$1${MASK}`)
}
