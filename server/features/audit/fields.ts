import { ordered } from './chain.ts'

type Fields = Record<string, unknown>

const MAX_TEXT = 2000
const MAX_ITEMS = 500
const halfCharacter = /[\ud800-\udfff]/gu
const secretName = /passw|secret|credential|cookie|authorization|(api|private|secret)_?key|hash$|token$|^code$|^codes$/i

/** What of a thing may be kept: no secrets, no endless texts, nothing that the database cannot hold. */
export function keepable(value: unknown): Fields | null {
  if (value === undefined || value === null) return null
  const plain: unknown = trimmed(JSON.parse(JSON.stringify(value)))
  return isFields(plain) ? plain : { value: plain }
}

/** Only what is different; a thing that came or went is kept whole. */
export function changes(before: unknown, after: unknown): { before: Fields | null; after: Fields | null } {
  const [was, is] = [keepable(before), keepable(after)]
  if (!was || !is) return { before: was, after: is }
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  const changed = names.filter((name) => ordered(was[name] ?? null) !== ordered(is[name] ?? null))
  return { before: pick(was, changed), after: pick(is, changed) }
}

export function keepableText(text: string): string {
  const short = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text
  return short.replaceAll('\0', '').replace(halfCharacter, '\ufffd')
}

function trimmed(value: unknown): unknown {
  if (typeof value === 'string') return keepableText(value)
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map(trimmed)
  if (!isFields(value)) return value
  const kept = Object.entries(value).filter(([name]) => !secretName.test(name))
  return Object.fromEntries(kept.map(([name, inner]) => [keepableText(name), trimmed(inner)]))
}

const pick = (fields: Fields, names: string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, fields[name] ?? null]))

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
