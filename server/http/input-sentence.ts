import type * as z from 'zod/mini'
import { labelOf } from './field-labels.ts'

type Issue = z.core.$ZodIssue

/** The message of a check for which the contract has no words of its own. */
const UNWORDED = ''
/**
 * Passed to the parser: messages of the contract stay, the others are written here. Only the first problem is told, so
 * the parser stops at it: a list of a million wrong elements would cost seconds.
 */
export const unworded = { error: () => UNWORDED, reportInput: true, abortEarly: true } as const

/** The words for checks of libraries, which have none of their own. */
export const russianWords = {
  localeError: (issue: z.core.$ZodRawIssue) =>
    inputSentence({ path: [], ...issue, message: UNWORDED } as unknown as Issue, ''),
}

const NOT_FITTING = 'такое значение не подходит'

/** What is wrong with the input and what would be right, for a person who does not know how it is checked. */
export function inputSentence(issue: Issue, subject: string): string {
  const inner = issue.code === 'invalid_union' ? branchOf(issue) : null
  if (inner) return inputSentence({ ...inner, path: [...issue.path, ...inner.path] }, subject)
  const label = labelOf(issue.path, subject)
  if (issue.message !== UNWORDED) return sentence(withLabel(label, issue.message))
  if (issue.code === 'unrecognized_keys') return sentence(extraFields(issue.keys))
  if (isMissing(issue)) return label ? `Не заполнено: ${quoted(label)}.` : 'Запрос пуст: заполните его поля.'
  return sentence(`${label ?? 'Запрос'}${sizeOf(issue) ?? `: ${problemOf(issue)}`}`)
}

const quoted = (label: string) => (label.includes('«') ? label : `«${label}»`)
const sentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`)

/** A message of the contract is a sentence, or a phrase that needs its field. */
const withLabel = (label: string | null, message: string) =>
  label === null || /^[А-ЯЁ]/.test(message) ? message : `${label}: ${message}`

function extraFields(keys: readonly string[]): string {
  const shown = keys.slice(0, 5).map((key) => `«${key.slice(0, 60)}»`)
  return shown.length === 1 ? `Лишнее поле ${shown[0]}` : `Лишние поля: ${shown.join(', ')}`
}

function isMissing(issue: Issue): boolean {
  const { code, input } = issue
  if (code === 'too_small') return (typeof input === 'string' || Array.isArray(input)) && Number(issue.minimum) === 1
  const isOfType = code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union'
  return isOfType && (input === undefined || input === null)
}

const wanted: Record<string, string> = {
  string: 'нужен текст',
  number: 'нужно число',
  int: 'нужно целое число',
  bigint: 'нужно целое число',
  boolean: 'нужно «да» или «нет»',
  date: 'нужна дата',
  array: 'нужен список',
  tuple: 'нужен список',
  object: 'нужен набор полей',
  record: 'нужен набор полей',
  file: 'нужен файл',
  null: 'здесь ничего не должно быть',
  undefined: 'здесь ничего не должно быть',
  never: 'здесь ничего не должно быть',
}

const formats: Record<string, string> = {
  email: 'проверьте адрес, в нём нужны имя, знак @ и домен',
  url: 'нужна полная ссылка, как в адресной строке браузера',
  uuid: 'такого номера не бывает',
  guid: 'такого номера не бывает',
  datetime: 'нужны дата и время',
  date: 'нужна дата: год, месяц и день',
  time: 'нужно время: часы и минуты',
  emoji: 'нужен один смайлик',
  base64: 'содержимое не читается',
  json_string: 'содержимое не читается',
}

function problemOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return wanted[issue.expected] ?? NOT_FITTING
    case 'invalid_format':
      return formats[issue.format] ?? 'в таком виде не подходит'
    case 'not_multiple_of':
      return issue.divisor === 1 ? 'нужно целое число' : `нужно число, кратное ${number(issue.divisor)}`
    case 'invalid_value':
      return 'нужно одно из допустимых значений'
    case 'invalid_key':
      return 'такое имя не подходит'
    case 'invalid_element':
      return 'один из пунктов не подходит'
    default:
      return NOT_FITTING
  }
}

/** What follows the label when a size is wrong: « не длиннее 100 символов, сейчас 200»; null for other problems. */
function sizeOf(issue: Issue): string | null {
  if (issue.code !== 'too_big' && issue.code !== 'too_small') return null
  const isBig = issue.code === 'too_big'
  const bound = Number(isBig ? issue.maximum : issue.minimum)
  const strict = issue.inclusive === false
  const now = sizeNow(issue.input)
  const has = now === null ? '' : `, сейчас ${number(now)}`
  const exact = 'exact' in issue && issue.exact
  switch (issue.origin) {
    case 'string':
      if (exact) return ` не короче и не длиннее ${symbols(bound)}${has}`
      return ` ${isBig ? 'не длиннее' : 'не короче'} ${symbols(bound)}${has}`
    case 'array':
    case 'set':
    case 'map':
      return `: не ${isBig ? 'больше' : 'меньше'} ${number(bound)}${has}`
    case 'file':
      return ` не ${isBig ? 'больше' : 'меньше'} ${number(Math.round(bound / 1024))} КБ`
    case 'date':
      return ` не ${isBig ? 'позже' : 'раньше'} ${new Date(bound).toLocaleDateString('ru-RU')}`
    default:
      // The largest exact integer is no bound that a person knows.
      if (Math.abs(bound) >= Number.MAX_SAFE_INTEGER) return `: число слишком ${isBig ? 'большое' : 'маленькое'}`
      if (strict) return ` ${isBig ? 'меньше' : 'больше'} ${number(bound)}`
      return ` не ${isBig ? 'больше' : 'меньше'} ${number(bound)}`
  }
}

function sizeNow(input: unknown): number | null {
  if (typeof input === 'string' || Array.isArray(input)) return input.length
  return null
}

const number = (value: number | bigint) => Number(value).toLocaleString('ru-RU')

/** «не длиннее 1 символа», «не длиннее 100 символов»: the genitive. */
function symbols(count: number): string {
  const isOne = count % 10 === 1 && count % 100 !== 11
  return `${number(count)} ${isOne ? 'символа' : 'символов'}`
}

/** The problem of the alternative that fits best: one that fails inside and not by its type. */
function branchOf({ errors }: z.core.$ZodIssueInvalidUnion): Issue | null {
  const firsts = errors.flatMap(([first]) => (first ? [first] : []))
  return firsts.find(({ path, code }) => path.length > 0 || code !== 'invalid_type') ?? null
}
