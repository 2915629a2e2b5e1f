export const MASK = '•••'
/** Keys masked at any depth. */
const secret =
  /token|stamp|secret|signature|password|auth_code|rrn|ref_id|holder|^bin$|first_1|^exp_|cvc|cvv|^number$|^ip$|device_id|birth_date|phone|public_key|^(first|last|middle)_name$|^(address|city|zip)$/i
/** Objects masked whole. */
const secretParts = /^(billing_address|additional_data|browser|avs_cvc_verification)$/
/** Ids are never card numbers, however many digits they have. */
const idKeys = /^(uid|id|tracking_id|parent_uid)$/
/** A card number, also with spaces or dashes between its groups. */
const CARD_NUMBER = /\b(?:\d[ -]?){12,18}\d\b/g
const SECRET_IN_URL = /([?&](?:token|hash|sign|key)=)[^&#]+/gi
const EMAIL = /[\w.%+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g
const IP = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g

/** Gateway messages hold card and personal data that the history of a payment does not need. */
export function maskBody(value: unknown, name = ''): unknown {
  if (value === null || typeof value === 'boolean') return value
  if (secret.test(name) || secretParts.test(name)) return MASK
  if (typeof value === 'string') return idKeys.test(name) ? value : maskText(value)
  if (Array.isArray(value)) return value.map((item) => maskBody(item))
  if (typeof value !== 'object') return value
  if (name === 'customer') return maskPayer(value)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskBody(inner, key)]))
}

/** Only a masked email address stays. */
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
    .replace(SECRET_IN_URL, `$1${MASK}`)
    .replace(EMAIL, (email) => `${email[0]}${MASK}${email.slice(email.lastIndexOf('@'))}`)
    .replace(IP, MASK)
}
