/**
 * Variables of a prompt: `{{имя}}`, `{{имя:тип}}`, `{{имя:тип=начальное значение}}`. Server and page use the same
 * parser; anything it does not recognise stays text.
 */

export const variableTypes = ['строка', 'текст', 'число', 'дата', 'выбор'] as const
export type VariableType = (typeof variableTypes)[number]

export interface Variable {
  /** The normalised name: «Тема» and «тема» are the same variable. */
  key: string
  name: string
  type: VariableType
  /** For «выбор» only. */
  options: string[]
  /** Null means required; an empty one means optional. */
  initial: string | null
}

export type PromptPart = { type: 'text'; text: string } | { type: 'variable'; key: string }

/** A placeholder that is not a valid variable. */
export interface VariableProblem {
  source: string
  reason: string
}

export interface ParsedPrompt {
  parts: PromptPart[]
  /** Each once, in the order of first use. */
  variables: Variable[]
  problems: VariableProblem[]
}

export type Values = ReadonlyMap<string, string>

const TODAY = 'сегодня'
const placeholder = /\\?\{\{([^{}\n]{1,500})\}\}/gu
const namePattern = /^\p{L}[\p{L}\p{N} _-]{0,59}$/u

export function parsePrompt(content: string): ParsedPrompt {
  const parsed: ParsedPrompt = { parts: [], variables: [], problems: [] }
  const known = new Map<string, Variable>()
  let end = 0
  for (const match of content.matchAll(placeholder)) {
    addText(parsed, content.slice(end, match.index))
    end = match.index + match[0].length
    addPlaceholder(parsed, known, match[0], match[1] ?? '')
  }
  addText(parsed, content.slice(end))
  return parsed
}

/** Values are inserted unchanged: braces inside them are not parsed. */
export function fillPrompt(content: string, values: Values): string {
  const { parts, variables } = parsePrompt(content)
  const types = new Map(variables.map(({ key, type }) => [key, type]))
  return parts.map((part) => (part.type === 'text' ? part.text : textFor(types, part.key, values))).join('')
}

/** `today` has the form 2026-12-31. */
export function initialValues(variables: readonly Variable[], today: string): Map<string, string> {
  return new Map(variables.map(({ key, type, initial }) => [key, startOf(type, initial, today)]))
}

/** The error for the form field; null for a valid value. */
export function valueProblem({ type, options, initial }: Variable, value: string): string | null {
  const given = value.trim()
  if (given === '') return initial === '' ? null : 'Заполните это поле.'
  if (type === 'число' && !isNumber(given)) return 'Нужно число, например 12 или 3,5.'
  if (type === 'дата' && !isDate(given)) return 'Нужна дата.'
  if (type === 'выбор' && !options.includes(given)) return 'Выберите один из вариантов.'
  return null
}

/** The value as inserted into the text: dates are written out. */
export function valueText(type: VariableType, value: string): string {
  const given = value.trim()
  return type === 'дата' && isDate(given) ? formatDate(given) : given
}

function addPlaceholder(parsed: ParsedPrompt, variables: Map<string, Variable>, source: string, inner: string): void {
  // A backslash escapes the braces, for prompts about templates.
  const read = source.startsWith('\\') ? null : readVariable(inner)
  if (!read || 'reason' in read) {
    if (read) parsed.problems.push({ source, reason: read.reason })
    addText(parsed, read ? source : source.slice(1))
    return
  }
  parsed.parts.push({ type: 'variable', key: read.key })
  const known = variables.get(read.key)
  if (!known) {
    variables.set(read.key, read)
    parsed.variables.push(read)
  } else if (!isBare(inner) && !isSame(known, read)) mergeDescription(parsed, known, read, source)
}

/** A later placeholder may add the type to a bare `{{имя}}`; two different descriptions are a problem. */
function mergeDescription(parsed: ParsedPrompt, known: Variable, read: Variable, source: string): void {
  if (isPlain(known)) Object.assign(known, { ...read, name: known.name })
  else parsed.problems.push({ source, reason: `«${known.name}» уже описана иначе; действует первое описание` })
}

function addText(parsed: ParsedPrompt, text: string): void {
  const last = parsed.parts.at(-1)
  if (text === '') return
  if (last?.type === 'text') last.text += text
  else parsed.parts.push({ type: 'text', text })
}

function readVariable(inner: string): Variable | { reason: string } {
  const equals = inner.indexOf('=')
  const head = equals < 0 ? inner : inner.slice(0, equals)
  const [name = '', given, ...more] = head.split(':').map((part) => part.trim().replace(/\s+/g, ' '))
  if (!namePattern.test(name) || more.length > 0 || head.includes('|'))
    return { reason: 'имя начинается с буквы и состоит из букв, цифр, пробелов и дефисов' }
  const typeName = given?.toLowerCase()
  const type = typeName === undefined ? 'строка' : variableTypes.find((known) => known === typeName)
  if (!type) return { reason: `нет типа «${given}»: есть ${variableTypes.join(', ')}` }
  const initial = equals < 0 ? null : inner.slice(equals + 1).trim()
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

function textFor(types: ReadonlyMap<string, VariableType>, key: string, values: Values): string {
  return valueText(types.get(key) ?? 'строка', values.get(key) ?? '')
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

let words: Intl.DateTimeFormat | undefined

function formatDate(day: string): string {
  words ??= new Intl.DateTimeFormat('ru-RU', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
  return words.format(new Date(`${day}T00:00:00Z`)).replace(/\s/g, ' ')
}
