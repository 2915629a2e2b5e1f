import { AppError } from '#server/lib/errors.ts'

/** What a body of JSON may hold; counted on its bytes, because parsing and checking it costs time for each value. */
export interface JsonLimits {
  /** Fields and elements of lists. */
  values: number
  /** Numbers in lists, where they are not counted with the other values. */
  numbers?: number
  /** All of it except `data:` addresses, which hold images. */
  textBytes: number
}

/** Calls of the page limit their bytes by themselves. */
export const PAGE_JSON: JsonLimits = { values: 10_000, textBytes: Number.POSITIVE_INFINITY }

/** No call needs more; deeper nesting could exhaust the stack. */
const MAX_DEPTH = 50
/** Each takes as long to read as a word. Russian written as `\u0436` has one for each letter. */
const MAX_ESCAPES = 1_000_000

const code = (sign: string) => sign.charCodeAt(0)
const QUOTE = code('"')
const BACKSLASH = code('\\')
const SLASH = code('/')
const COMMA = code(',')
const SPACE = code(' ')
const MINUS = code('-')
const ZERO = code('0')
const NINE = code('9')
const OPEN_LIST = code('[')
const CLOSE_LIST = code(']')
const OPEN_OBJECT = code('{')
const CLOSE_OBJECT = code('}')
const DATA = Buffer.from('data:')

/** Throws before anything is parsed. Whether it is JSON at all is found out later. */
export function checkJsonSize(bytes: Buffer, most: JsonLimits): void {
  let values = 1
  let numbers = 0
  let depth = 0
  let dataBytes = 0
  let escapes = 0
  let at = 0
  while (at < bytes.length) {
    const sign = bytes[at]
    if (sign === QUOTE) {
      const endOfData = endOfDataAddress(bytes, at + 1)
      if (endOfData !== null) {
        dataBytes += endOfData - at
        at = endOfData
      } else {
        const end = Math.min(bytes.length, most.textBytes + dataBytes + 1)
        for (at += 1; at < end && bytes[at] !== QUOTE; at++) {
          if (bytes[at] !== BACKSLASH) continue
          escapes += 1
          at += 1
        }
      }
    } else if (sign === COMMA) {
      if (most.numbers !== undefined && isNumberAt(bytes, at + 1)) numbers += 1
      else values += 1
    } else if (sign === OPEN_LIST || sign === OPEN_OBJECT) {
      values += 1
      depth += 1
      if (depth > MAX_DEPTH) throw new AppError('bad_request', 'Тело запроса вложено слишком глубоко.')
    } else if (sign === CLOSE_LIST || sign === CLOSE_OBJECT) depth -= 1
    if (values > most.values) throw tooLarge(`${count(most.values)} полей и элементов`)
    if (numbers > (most.numbers ?? 0)) throw tooLarge(`${count(most.numbers ?? 0)} чисел`)
    if (escapes > MAX_ESCAPES) throw tooLarge(`${count(MAX_ESCAPES)} знаков, записанных через обратную черту`)
    at += 1
    if (at - dataBytes > most.textBytes) throw tooLarge(`${most.textBytes / 1024 / 1024} МБ текста`)
  }
}

const count = (most: number) => new Intl.NumberFormat('ru-RU').format(most)
const tooLarge = (most: string) => new AppError('payload_too_large', `Запрос слишком большой: не больше ${most}.`)

/** Of numbers in a list, which may have a space between them. */
function isNumberAt(bytes: Buffer, at: number): boolean {
  const sign = (bytes[at] === SPACE ? bytes[at + 1] : bytes[at]) ?? 0
  return sign === MINUS || (sign >= ZERO && sign <= NINE)
}

/** Null for any other string, also for one with escapes: only `\/`, which some programs write, costs nothing to read. */
function endOfDataAddress(bytes: Buffer, from: number): number | null {
  if (bytes.length - from < DATA.length || DATA.compare(bytes, from, from + DATA.length) !== 0) return null
  const end = bytes.indexOf(QUOTE, from)
  if (end < 0) return null
  const address = bytes.subarray(from, end)
  for (let at = address.indexOf(BACKSLASH); at >= 0; at = address.indexOf(BACKSLASH, at + 2))
    if (address[at + 1] !== SLASH) return null
  return end
}

/** Replaces lone surrogates, which Postgres rejects inside JSON. */
const wellFormed = (_name: string, value: unknown) =>
  typeof value === 'string' ? Buffer.from(value).toString() : value

/** Throws SyntaxError when it is not JSON. */
export function parseChecked(bytes: Buffer, limits: JsonLimits): unknown {
  checkJsonSize(bytes, limits)
  const text = bytes.toString('utf8')
  return /\\u[dD]/.test(text) ? JSON.parse(text, wellFormed) : JSON.parse(text)
}
