import { findNames, indexNames, type NameIndex } from './personal-names.ts'

/** Finds personal data of known patterns in a text. Not everything personal has a pattern. */

export const personalKinds = ['email', 'account', 'card', 'snils', 'inn', 'ogrn', 'passport', 'phone', 'name'] as const
export type PersonalKind = (typeof personalKinds)[number]

export interface PersonalMatch {
  kind: PersonalKind
  start: number
  end: number
  /** The same for all spellings of one value. */
  value: string
  /** A name as its owner has written it into the list. */
  usual?: string
}

/** Longer than any value, with the words before it that give it its kind. */
const MAX_VALUE = 1000

const NO_NAMES = indexNames([])

/** Finds values that begin between `from` and `to`, in the order of the text, none within another. */
export function findPersonal(text: string, names: NameIndex, from = 0, to = text.length): PersonalMatch[] {
  const seen = text.slice(0, to + MAX_VALUE)
  const found = [...findEmails(seen, from), ...findNumbers(seen, from), ...findNames(seen, names, from)]
  return withoutOverlaps(found.filter(({ start }) => start < to))
}

/** How far a value reaches to either side of a cut. */
export const AROUND_CUT = 300

/** The value that a cut at this place would split: its halves are no longer recognized. Reads only the text around. */
export function valueAcross(text: string, at: number, names: NameIndex = NO_NAMES): PersonalMatch | undefined {
  if (at <= 0 || at >= text.length || (names === NO_NAMES && !maySplitValue(text, at))) return undefined
  const seen = text.slice(0, at + AROUND_CUT)
  return findPersonal(seen, names, Math.max(0, at - AROUND_CUT), at).find(({ end }) => end > at)
}

/** Quick: a number has digits on both sides, with few signs between them, and an email has no spaces. */
const maySplitValue = (text: string, at: number) =>
  /^\S\S$/.test(text.slice(at - 1, at + 1)) ||
  (/\d/.test(text.slice(at, at + 30)) && /[\d+(]/.test(text.slice(Math.max(0, at - 30), at)))

/** Of two overlapping values the one that begins first stays, then the longer one, then the one found first. */
function withoutOverlaps(found: PersonalMatch[]): PersonalMatch[] {
  const sorted = found
    .map((one, n) => ({ one, n }))
    .sort((a, b) => a.one.start - b.one.start || b.one.end - a.one.end || a.n - b.n)
  let end = 0
  return sorted.flatMap(({ one }) => {
    if (one.start < end) return []
    end = one.end
    return [one]
  })
}

const LOCAL = /[\p{L}\p{N}._%+'-]{1,64}$/u
const DOMAIN = /[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,8}\.\p{L}[\p{L}\p{N}-]{1,62}/uy

/** Searches from the sign @, because a pattern that begins with words would be tried at every word. */
function* findEmails(text: string, from: number): Generator<PersonalMatch> {
  for (let at = text.indexOf('@', from); at >= 0; at = text.indexOf('@', at + 1)) {
    const local = LOCAL.exec(text.slice(Math.max(from, at - 64), at))?.[0]
    DOMAIN.lastIndex = at + 1
    const domain = local && DOMAIN.exec(text)?.[0]
    if (!domain) continue
    const [start, end] = [at - local.length, at + 1 + domain.length]
    yield { kind: 'email', start, end, value: text.slice(start, end).toLowerCase() }
  }
}

const GAP = String.raw`[ \t\u00A0\u2007\u202F().\-\u2010-\u2013]`
const spaced = (digits: number | string, gap = 3) => String.raw`(?:${GAP}{0,${gap}}\d){${digits}}`
/** The lookahead comes first, so that the rest is tried only at digits. */
const BEFORE = String.raw`(?=\d)(?<![\dA-Za-z_])(?<!\d[.,])`
/** «счёт № », «ИНН: »: the name of a number shortly before it. */
const afterName = (names: string, max = 40) => String.raw`(?=\d)(?<!\d)(?<=(?:${names})[^\d\n]{0,${max}})`
const SIGN = String.raw`(?:№|N|No\.?|номер)?`

interface Pattern {
  kind: PersonalKind
  pattern: RegExp
  /** Whether the digits are valid for this kind, for example by their check digit. */
  check?: (digits: string, text: string) => boolean
}

const rule = (kind: PersonalKind, pattern: string, check?: Pattern['check']): Pattern => ({
  kind,
  pattern: new RegExp(String.raw`${pattern}(?!\d)`, 'giu'),
  ...(check && { check }),
})

/** Where the pattern or the check is weak, the name of the number must stand before it. */
const patterns: Pattern[] = [
  rule('account', String.raw`${BEFORE}\d${spaced(19, 1)}`, hasCurrency),
  rule('account', String.raw`${afterName('сч[её]т[а-я]{0,3}|[рклх]/сч?|account')}\d${spaced(19, 1)}`),
  rule('phone', String.raw`(?:(?<![\d+])\+7|${BEFORE}[78](?=${GAP}{0,3}[3-9]))${spaced(10)}`, isNotSum),
  rule('phone', String.raw`(?<![\d+])\+(?!7)[1-9]${spaced('8,13', 2)}`, isNotSum),
  rule('phone', String.raw`(?<![\dA-Za-z_])\(\d{3,5}\)[ \u00A0]?\d{1,3}[- \u00A0]?\d{2}[- \u00A0]?\d{2}`),
  rule('phone', String.raw`${BEFORE}(?<!-)(?:9\d{2}[ \u00A0-])?\d{3}-\d{2}-\d{2}(?!-)`),
  rule(
    'phone',
    String.raw`(?=\d)(?<!\d)(?<=(?<!\p{L})(?:тел|телефон[а-я]{0,3}|моб|мобильн[а-я]{1,3}|(?:по)?звони[а-я]{0,3}|phone)[^\d\p{L}\n]{0,6})(?:\d${spaced(9, 2)}|\d${spaced(6, 2)}|\d\d-\d\d-\d\d)`,
    isNotSum,
  ),
  rule('snils', String.raw`${BEFORE}\d{3}-\d{3}-\d{3}[ -]\d{2}(?!-)`),
  rule('snils', String.raw`${BEFORE}\d{11}`, isSnils),
  rule('snils', String.raw`${afterName('снилс[а-я]{0,2}')}\d${spaced(10, 1)}`),
  rule('inn', String.raw`${BEFORE}\d{12}`, isInn),
  rule('inn', String.raw`${afterName(String.raw`(?<!\p{L})(?:инн|inn)`)}(?:\d{12}|\d{10})`),
  rule('ogrn', String.raw`${afterName('огрн(?:ип)?|ogrn')}(?:\d{15}|\d{13})`),
  rule(
    'passport',
    String.raw`${afterName(String.raw`паспорт[а-я]{0,3}|(?<!\p{L})серия|passport`, 60)}(?:\d\d[ \u00A0]?\d\d[,;]?\s{0,3}${SIGN}:?\s{0,3}\d{6}|\d\d[ \u00A0]?${SIGN}[ \u00A0]?\d{7})`,
  ),
]

function* findNumbers(text: string, from: number): Generator<PersonalMatch> {
  if (!/\d/.test(text.slice(from))) return
  yield* findCards(text, from)
  for (const { kind, pattern, check } of patterns) {
    pattern.lastIndex = from
    for (const match of text.matchAll(pattern)) {
      const digits = match[0].replace(/\D/g, '')
      if (check && !check(digits, match[0])) continue
      yield { kind, start: match.index, end: match.index + match[0].length, value: comparableDigits(kind, digits) }
    }
  }
}

/** +7 and 8 begin the same number. */
const comparableDigits = (kind: PersonalKind, digits: string) =>
  kind === 'phone' && digits.length === 11 ? digits.replace(/^8/, '7') : digits

/** «83 456 789 012» is a sum, and «8.3456789012» is a number. */
function isNotSum(_digits: string, text: string): boolean {
  return !/^\+?\d{1,3}(?:[ \u00A0\u202F]\d{3})+$/.test(text) && !/^\d\.\d+$/.test(text)
}

/** The accounts of Russian banks: the kind of account, then the currency. */
function hasCurrency(digits: string): boolean {
  return /^(?:30|40|42|45|47)\d{3}(?:810|643|840|978|156|933|398)/.test(digits)
}

const CARD = /(?<!\d)[2-6](?:[ \u00A0-]?\d){14,18}/gu
const CARD_LENGTHS = [16, 19, 18, 15]

/** A card may be followed by other digits, such as its date, so each usual length is tried. */
function* findCards(text: string, from: number): Generator<PersonalMatch> {
  CARD.lastIndex = from
  for (const match of text.matchAll(CARD)) {
    const ends = [...match[0].matchAll(/\d/g)].map(({ index }) => match.index + index + 1)
    for (const length of CARD_LENGTHS) {
      const end = ends[length - 1]
      if (end === undefined || /\d/.test(text[end] ?? '')) continue
      const digits = text.slice(match.index, end).replace(/\D/g, '')
      if ((length === 15 && !/^3[47]/.test(digits)) || !isLuhn(digits)) continue
      yield { kind: 'card', start: match.index, end, value: digits }
      break
    }
  }
}

export function isLuhn(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, i) => {
    const doubled = Number(digit) * (i % 2 === 0 ? 1 : 2)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

export function isSnils(digits: string): boolean {
  const [number, control] = [digits.slice(0, 9), Number(digits.slice(9))]
  if (Number(number) <= 1_001_998) return false
  const sum = weighted(number, [9, 8, 7, 6, 5, 4, 3, 2, 1]) % 101
  return control === (sum === 100 ? 0 : sum)
}

/** The INN of a person. */
export function isInn(digits: string): boolean {
  const eleventh = (weighted(digits, [7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 11) % 10
  const twelfth = (weighted(digits, [3, 7, 2, 4, 10, 3, 5, 9, 4, 6, 8]) % 11) % 10
  return digits.length === 12 && !/^0+$/.test(digits) && digits.endsWith(`${eleventh}${twelfth}`)
}

const weighted = (digits: string, weights: readonly number[]) =>
  weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0)
