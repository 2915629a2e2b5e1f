import type { PromoCode } from '#contract/promocodes.ts'
import { readLocalTime, writeLocalTime } from '#web/lib/local-time.ts'
import { readNumber, writeNumber } from '#web/lib/number-input.ts'

/** The terms of a code as the text fields of its form. */
export type TermFields = {
  name: string
  gives: string
  symbols: string
  discountPercent: string
  /** Who may use it; empty until it is chosen. */
  who: '' | 'one' | 'some' | 'all'
  maxUses: string
  startsAt: string
  expiresAt: string
  firstPurchaseOnly: boolean
  active: boolean
}

export const newTerms: TermFields = {
  name: '',
  gives: 'symbols',
  symbols: '',
  discountPercent: '',
  who: '',
  maxUses: '',
  startsAt: '',
  expiresAt: '',
  firstPurchaseOnly: false,
  active: true,
}

export function termFields(promo: PromoCode): TermFields {
  return {
    name: promo.name,
    gives: promo.discountPercent === null ? 'symbols' : 'discount',
    symbols: promo.symbols === 0 ? '' : writeNumber(promo.symbols),
    discountPercent: writeNumber(promo.discountPercent),
    who: promo.maxUses === null ? 'all' : promo.maxUses === 1 ? 'one' : 'some',
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
    name: draft.name,
    symbols: isDiscount ? 0 : readNumber(draft.symbols),
    discountPercent: isDiscount ? readNumber(draft.discountPercent) : null,
    maxUses: maxUsesOf(draft),
    startsAt: readLocalTime(draft.startsAt),
    expiresAt: readLocalTime(draft.expiresAt),
    firstPurchaseOnly: draft.firstPurchaseOnly,
    active: draft.active,
  }
}

/** NaN, which is refused, until something is chosen. */
function maxUsesOf({ who, maxUses }: TermFields): number | null {
  if (who === 'all') return null
  if (who === 'one') return 1
  return who === 'some' ? readNumber(maxUses) : Number.NaN
}

/** Without 0 and O, 1, I and L, which are easily confused. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

type Bytes = Uint8Array<ArrayBuffer>

export function inventCode(random: (values: Bytes) => Bytes = (values) => crypto.getRandomValues(values)): string {
  const characters: string[] = []
  while (characters.length < 10) {
    // Values above a multiple of the alphabet length would make some characters likelier than others.
    for (const value of random(new Uint8Array(16)))
      if (value < 248 && characters.length < 10) characters.push(ALPHABET[value % ALPHABET.length] ?? '')
  }
  return characters.join('')
}
