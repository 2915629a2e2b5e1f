import type { PromoCode } from '#contract/promocodes.ts'
import { readLocalTime, writeLocalTime } from '#web/lib/local-time.ts'
import { readNumber, readOptionalNumber, writeNumber } from '#web/lib/number-input.ts'

/** The terms of a code as the text fields of its form. */
export type TermFields = {
  gives: string
  symbols: string
  discountPercent: string
  maxUses: string
  startsAt: string
  expiresAt: string
  firstPurchaseOnly: boolean
  active: boolean
}

export const newTerms: TermFields = {
  gives: 'symbols',
  symbols: '',
  discountPercent: '',
  maxUses: '1',
  startsAt: '',
  expiresAt: '',
  firstPurchaseOnly: false,
  active: true,
}

export function termFields(promo: PromoCode): TermFields {
  return {
    gives: promo.discountPercent === null ? 'symbols' : 'discount',
    symbols: promo.symbols === 0 ? '' : writeNumber(promo.symbols),
    discountPercent: writeNumber(promo.discountPercent),
    maxUses: writeNumber(promo.maxUses),
    startsAt: writeLocalTime(promo.startsAt),
    expiresAt: writeLocalTime(promo.expiresAt),
    firstPurchaseOnly: promo.firstPurchaseOnly,
    active: promo.active,
  }
}

export function readTerms(draft: TermFields) {
  const isDiscount = draft.gives === 'discount'
  return {
    symbols: isDiscount ? 0 : readNumber(draft.symbols),
    discountPercent: isDiscount ? readNumber(draft.discountPercent) : null,
    maxUses: readOptionalNumber(draft.maxUses),
    startsAt: readLocalTime(draft.startsAt),
    expiresAt: readLocalTime(draft.expiresAt),
    firstPurchaseOnly: draft.firstPurchaseOnly,
    active: draft.active,
  }
}

/** Without 0 and O, 1, I and L, which are easily confused. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

type Bytes = Uint8Array<ArrayBuffer>

export function inventCode(random: (values: Bytes) => Bytes = (values) => crypto.getRandomValues(values)): string {
  const emails: string[] = []
  while (emails.length < 10) {
    // Values above a multiple of the alphabet length would make some characters likelier than others.
    for (const value of random(new Uint8Array(16)))
      if (value < 248 && emails.length < 10) emails.push(ALPHABET[value % ALPHABET.length] ?? '')
  }
  return emails.join('')
}
