import { findPersonal, type PersonalKind, type PersonalMatch, personalKinds, valueAcross } from './personal-data.ts'
import { kindLabels } from './personal-labels.ts'
import { indexNames } from './personal-names.ts'
import type { MaskedCounts } from './threads.ts'

/** Replaces personal data by tokens such as «[телефон 1]», and tokens in an answer by the real words. */

/** The forms in which models repeat the words of tokens: declined, or in English after a translation. */
const tokenWordPatterns: Record<PersonalKind, string> = {
  phone: 'телефон[а-я]{0,3}|(?:tele)?phone(?: number)?',
  email: 'почт[а-я]{1,3}|e-?mail',
  card: 'карт[а-я]{1,3}|card',
  passport: 'паспорт[а-я]{0,3}|passport',
  snils: 'снилс[а-я]{0,2}|snils',
  inn: 'инн|inn',
  ogrn: 'огрн|ogrn',
  account: 'сч[её]т[а-я]{0,3}|account',
  name: 'им(?:я|ени|енем|ена|ён|ен|енам|енами)|name',
}

const TOKEN_WORDS = personalKinds.map((kind) => `(?<${kind}>${tokenWordPatterns[kind]})`).join('|')
const NUMBER = String.raw`[1-9]\d{0,6}(?:\.[1-9]\d{0,3})?`
const TOKEN = new RegExp(
  String.raw`(?<open>\\?\[|[({<【［])\s{0,2}(?:${TOKEN_WORDS})[\s_-]{0,2}[№#]?\s{0,2}(?<number>${NUMBER})\s{0,2}(?<close>\\?\]|[)}>】］])`,
  'giu',
)
const closingBrackets: Record<string, string> = {
  '[': ']',
  '\\[': '\\]',
  '(': ')',
  '{': '}',
  '<': '>',
  '【': '】',
  '［': '］',
}
/** The end of a text that may be the beginning of a token. */
const TOKEN_START =
  /\\?(?:[[({<【［]\s{0,2}[\p{L}-]{0,16}(?: [a-z]{0,6})?[\s_-]{0,2}[№#]?\s{0,2}(?:[1-9]\d{0,6}(?:\.(?:[1-9]\d{0,3})?)?)?\s{0,2}\\?)?$/iu

/** Masking so many symbols takes a few milliseconds. */
const PART = 10_000

export interface MaskedValue {
  kind: PersonalKind
  /** «[телефон 1]», and for another spelling of the same value «[телефон 1.2]». */
  token: string
  text: string
}

export interface Mask {
  /** New tokens will not use the numbers of tokens that this text already has. Call it before the first `mask`. */
  reserve: (text: string) => void
  mask: (text: string) => string
  /** The beginning of a text that is masked later: at most so many symbols, without a part of a value at its end. */
  cut: (text: string, most: number) => string
  /** The same place, or the end of the value that a cut there would split. */
  afterValue: (text: string, at: number) => number
  /** Masks a text in parts of a few milliseconds, so that others may work between them. */
  maskInChunks: (text: string) => Generator<string>
  restore: (text: string) => string
  restoreStream: (onText: (text: string) => void) => { push: (chunk: string) => void; end: () => void }
  /** Different values so far, by kind. */
  counts: () => MaskedCounts
  /** What was masked, in the order of appearance. */
  masked: () => MaskedValue[]
}

/** Each request to a model has one mask: the same words become the same token in all its texts. */
export function createMask(names: readonly string[] = []): Mask {
  const index = indexNames(names)
  const tokens = createTokens()

  function* maskInChunks(text: string): Generator<string> {
    let at = 0
    while (at < text.length) {
      const to = Math.min(text.length, at + PART)
      let masked = ''
      for (const found of findPersonal(text, index, at, to)) {
        masked += text.slice(at, found.start) + tokens.replace(found, text.slice(found.start, found.end))
        at = found.end
      }
      // A value may reach beyond the part.
      yield at < to ? masked + text.slice(at, to) : masked
      at = Math.max(at, to)
    }
  }

  const mask = (text: string) => [...maskInChunks(text)].join('')

  const cut = (text: string, most: number) => text.slice(0, valueAcross(text, most, index)?.start ?? most)
  const afterValue = (text: string, at: number) => valueAcross(text, at, index)?.end ?? at

  function restore(text: string): string {
    return text.replace(TOKEN, (written: string, ...rest: unknown[]) => {
      const { open = '', close = '', number = '', ...kinds } = rest.at(-1) as Record<string, string | undefined>
      const real = tokens.find(kindIn(kinds), number)
      if (real === undefined) return written
      // The text may have a backslash directly before our token.
      if (open === '\\[' && close === ']') return `\\${real}`
      if (closingBrackets[open] !== close) return written
      return open === '(' ? `(${real})` : real
    })
  }

  function restoreStream(onText: (text: string) => void) {
    let held = ''
    const give = (text: string) => {
      if (text !== '') onText(restore(text))
    }
    return {
      push(chunk: string) {
        held += chunk
        const ready = held.search(TOKEN_START)
        give(held.slice(0, ready))
        held = held.slice(ready)
      },
      end() {
        give(held)
        held = ''
      },
    }
  }

  return {
    reserve: tokens.reserve,
    mask,
    cut,
    afterValue,
    maskInChunks,
    restore,
    restoreStream,
    counts: tokens.counts,
    masked: tokens.masked,
  }
}

function createTokens() {
  const taken = new Set<string>()
  const byText = new Map<string, MaskedValue>()
  const real = new Map<string, string>()
  const values = new Map<string, { number: number; spellings: number }>()
  const counts = new Map<PersonalKind, number>()
  const last = new Map<PersonalKind, number>()

  function numberFor(kind: PersonalKind): number {
    let number = (last.get(kind) ?? 0) + 1
    while (taken.has(`${kind} ${number}`)) number += 1
    last.set(kind, number)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    return number
  }

  /** «[имя 1]» stands for the name as it is in the list, because models use the token in any grammatical case. */
  function numberOf({ kind, value, usual }: PersonalMatch): { number: number; spellings: number } {
    const key = `${kind} ${value}`
    const known = values.get(key)
    if (known) return known
    const own = { number: numberFor(kind), spellings: 0 }
    values.set(key, own)
    if (usual !== undefined) add(kind, own, usual)
    return own
  }

  function add(kind: PersonalKind, own: { number: number; spellings: number }, text: string): string {
    own.spellings += 1
    const number = own.spellings === 1 ? `${own.number}` : `${own.number}.${own.spellings}`
    real.set(`${kind} ${number}`, text)
    return `[${kindLabels[kind]} ${number}]`
  }

  return {
    reserve(text: string) {
      for (const { groups: { number = '', ...kinds } = {} } of text.matchAll(TOKEN))
        taken.add(`${kindIn(kinds)} ${number.split('.')[0]}`)
    },
    replace(found: PersonalMatch, text: string): string {
      const { kind } = found
      const key = `${kind} ${text}`
      const known = byText.get(key)
      if (known) return known.token
      const own = numberOf(found)
      const isUsual = real.get(`${kind} ${own.number}`) === text
      const token = isUsual ? `[${kindLabels[kind]} ${own.number}]` : add(kind, own, text)
      byText.set(key, { kind, token, text })
      return token
    },
    /** A token with an unknown spelling number is restored to the first spelling of its value. */
    find: (kind: PersonalKind | undefined, number: string) =>
      real.get(`${kind} ${number}`) ?? real.get(`${kind} ${number.split('.')[0]}`),
    counts: (): MaskedCounts => Object.fromEntries(counts),
    masked: () => [...byText.values()],
  }
}

const kindIn = (groups: Record<string, string | undefined>) => personalKinds.find((kind) => groups[kind] !== undefined)
