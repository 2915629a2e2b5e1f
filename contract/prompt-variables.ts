/**
 * The places of a prompt that change every time: `{{имя}}`, `{{имя:тип}}`, `{{имя:тип=начальное значение}}`.
 * One reader for both sides; whatever it does not know stays text.
 */

export const variableTypes = ['строка', 'текст', 'число', 'дата', 'выбор'] as const
export type VariableType = (typeof variableTypes)[number]

export interface Variable {
  /** The name without its spelling: «Тема» and «тема» are one. */
  key: string
  name: string
  type: VariableType
  /** For «выбор» only. */
  options: string[]
  /** What stands there at first; an empty one may stay empty, null has to be filled. */
  initial: string | null
}

export type Piece = { type: 'text'; text: string } | { type: 'variable'; key: string }

/** Something that looks like a variable and is none, or is not what it says. */
export interface VariableProblem {
  source: string
  reason: string
}

export interface ParsedPrompt {
  pieces: Piece[]
  /** Each once, in the order of their first places. */
  variables: Variable[]
  problems: VariableProblem[]
}

export type Values = ReadonlyMap<string, string>

const TODAY = 'сегодня'
const place = /\\?\{\{([^{}\n]{1,500})\}\}/gu
const shape = /^(?<name>[^:=|]+?)\s*(?::\s*(?<type>[^:=|]*?)\s*)?(?:=(?<initial>.*))?$/u
const nameShape = /^\p{L}[\p{L}\p{N} _-]{0,59}$/u

export function parsePrompt(content: string): ParsedPrompt {
  const parsed: ParsedPrompt = { pieces: [], variables: [], problems: [] }
  let end = 0
  for (const match of content.matchAll(place)) {
    addText(parsed, content.slice(end, match.index))
    end = match.index + match[0].length
    addPlace(parsed, match[0], match[1] ?? '')
  }
  addText(parsed, content.slice(end))
  return parsed
}

/** The text with its variables replaced. A value is put in as it is: braces in it mean nothing any more. */
export function fillPrompt(content: string, values: Values): string {
  const { pieces, variables } = parsePrompt(content)
  return pieces.map((piece) => (piece.type === 'text' ? piece.text : labelFor(variables, piece.key, values))).join('')
}

/** What the fields of a form begin with. `today` is a date as 2026-12-31. */
export function initialValues(variables: readonly Variable[], today: string): Map<string, string> {
  return new Map(variables.map(({ key, type, initial }) => [key, startOf(type, initial, today)]))
}

/** Why a value does not do, in a sentence for beside the field; null if it does. */
export function valueProblem({ type, options, initial }: Variable, value: string): string | null {
  const given = value.trim()
  if (given === '') return initial === '' ? null : 'Заполните это поле.'
  if (type === 'число' && !isNumber(given)) return 'Нужно число, например 12 или 3,5.'
  if (type === 'дата' && !isDate(given)) return 'Нужна дата.'
  if (type === 'выбор' && !options.includes(given)) return 'Выберите один из вариантов.'
  return null
}

/** A value as it reads in the text: a date in words, the rest as given. */
export function valueText(type: VariableType, value: string): string {
  const given = value.trim()
  return type === 'дата' && isDate(given) ? formatDate(given) : given
}

function addPlace(parsed: ParsedPrompt, source: string, inner: string): void {
  // A backslash keeps the braces: somebody writes about templates.
  const read = source.startsWith('\\') ? null : readVariable(inner)
  if (!read || 'reason' in read) {
    if (read) parsed.problems.push({ source, reason: read.reason })
    addText(parsed, read ? source : source.slice(1))
    return
  }
  parsed.pieces.push({ type: 'variable', key: read.key })
  const known = parsed.variables.find(({ key }) => key === read.key)
  if (!known) parsed.variables.push(read)
  else if (!isBare(inner) && !isSame(known, read)) clash(parsed, known, read, source)
}

/** A bare `{{имя}}` that comes first may be described by a later place; two descriptions may not differ. */
function clash(parsed: ParsedPrompt, known: Variable, read: Variable, source: string): void {
  if (isPlain(known)) Object.assign(known, { ...read, name: known.name })
  else parsed.problems.push({ source, reason: `«${known.name}» уже описана иначе; действует первое описание` })
}

function addText(parsed: ParsedPrompt, text: string): void {
  const last = parsed.pieces.at(-1)
  if (text === '') return
  if (last?.type === 'text') last.text += text
  else parsed.pieces.push({ type: 'text', text })
}

function readVariable(inner: string): Variable | { reason: string } {
  const parts = shape.exec(inner.trim())?.groups
  const name = parts?.name?.replace(/\s+/g, ' ') ?? ''
  if (!nameShape.test(name)) return { reason: 'имя начинается с буквы и состоит из букв, цифр, пробелов и дефисов' }
  const said = parts?.type?.toLowerCase()
  const type = said === undefined ? 'строка' : variableTypes.find((known) => known === said)
  if (!type) return { reason: `нет типа «${parts?.type}»: есть ${variableTypes.join(', ')}` }
  const initial = parts?.initial === undefined ? null : parts.initial.trim()
  return withInitial({ key: name.toLowerCase().replaceAll('ё', 'е'), name, type, options: [], initial })
}

function withInitial(variable: Variable): Variable | { reason: string } {
  const { type, initial } = variable
  if (type === 'выбор') {
    const options = [...new Set((initial ?? '').split('|').map((option) => option.trim()))].filter(Boolean)
    if (options.length < 2) return { reason: 'у выбора перечисляют варианты: {{тон:выбор=деловой|тёплый}}' }
    return { ...variable, options, initial: options[0] ?? null }
  }
  if (type === 'число' && initial && !isNumber(initial)) return { reason: `«${initial}» не число` }
  if (type === 'дата' && initial && initial !== TODAY && !isDate(initial)) {
    return { reason: `«${initial}» не дата: нужна «${TODAY}» или вида 2026-12-31` }
  }
  return variable
}

const isBare = (inner: string) => !/[:=]/.test(inner)
const isPlain = ({ type, initial }: Variable) => type === 'строка' && initial === null
const isSame = (a: Variable, b: Variable) =>
  a.type === b.type && a.initial === b.initial && a.options.join('|') === b.options.join('|')

function labelFor(variables: readonly Variable[], key: string, values: Values): string {
  const type = variables.find((variable) => variable.key === key)?.type ?? 'строка'
  return valueText(type, values.get(key) ?? '')
}

function startOf(type: VariableType, initial: string | null, today: string): string {
  return type === 'дата' && initial === TODAY ? today : (initial ?? '')
}

function isNumber(text: string): boolean {
  return /^[-−]?\d[\d\s]*(?:[.,]\d+)?$/.test(text)
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function formatDate(day: string): string {
  const words = new Intl.DateTimeFormat('ru-RU', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
  return words.format(new Date(`${day}T00:00:00Z`)).replace(/\s/g, ' ')
}
