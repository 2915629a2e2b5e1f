/**
 * Reads JSON as models write it: in a fence, with words around it, with commas too many or too few, with quotes and line
 * breaks inside strings, cut off at the end. Each sign is read once, or twice before a quote.
 */
export function readLooseJson(text: string): unknown {
  const from = text.indexOf('{')
  if (from < 0) return null
  const reader = { text, at: from }
  return readValue(reader, 0)
}

interface Reader {
  text: string
  at: number
}

const MAX_DEPTH = 12
const openers: Record<string, string> = { '"': '"', '“': '”', "'": "'" }

function readValue(reader: Reader, depth: number): unknown {
  skip(reader, /[\s:]/)
  const sign = reader.text[reader.at]
  if (sign === undefined || depth > MAX_DEPTH) {
    reader.at = depth > MAX_DEPTH ? reader.text.length : reader.at
    return null
  }
  if (sign === '{') return readObject(reader, depth)
  if (sign === '[') return readArray(reader, depth)
  return openers[sign] ? readString(reader) : readBare(reader)
}

function readObject(reader: Reader, depth: number): Record<string, unknown> {
  const fields: [string, unknown][] = []
  reader.at += 1
  for (;;) {
    skip(reader, /[\s,]/)
    const sign = reader.text[reader.at]
    if (sign === undefined) break
    if (sign === '}' || sign === ']') {
      reader.at += 1
      break
    }
    const before = reader.at
    const name = openers[sign] ? readString(reader) : readName(reader)
    fields.push([name, readValue(reader, depth + 1)])
    if (reader.at === before) reader.at += 1
  }
  return Object.fromEntries(fields)
}

function readArray(reader: Reader, depth: number): unknown[] {
  const items: unknown[] = []
  reader.at += 1
  for (;;) {
    skip(reader, /[\s,]/)
    const sign = reader.text[reader.at]
    if (sign === undefined) return items
    if (sign === ']') {
      reader.at += 1
      return items
    }
    // The end of the object around it: the bracket was forgotten.
    if (sign === '}') return items
    const before = reader.at
    items.push(readValue(reader, depth + 1))
    if (reader.at === before) reader.at += 1
  }
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '', b: '', f: '' }

function readString(reader: Reader): string {
  const { text } = reader
  const close = openers[text[reader.at] ?? ''] ?? '"'
  let value = ''
  for (reader.at += 1; reader.at < text.length; reader.at += 1) {
    const sign = text[reader.at] ?? ''
    if (sign === '\\') {
      const [, code] = /^\\u([\da-fA-F]{4})/.exec(text.slice(reader.at, reader.at + 6)) ?? []
      const next = text[reader.at + 1] ?? ''
      value += code === undefined ? (escapes[next] ?? next) : String.fromCharCode(Number.parseInt(code, 16))
      reader.at += code === undefined ? 1 : 5
    } else if (sign === close && isEnd(text, reader.at + 1)) {
      reader.at += 1
      return value
    } else value += sign
  }
  return value
}

const GOES_ON = [
  /^\s{0,100}(?:$|[}\]:])/,
  /^\s{0,100},\s{0,100}(?:$|["“'{[\]}\d-]|true|false|null|[a-z_]{1,30}\s{0,9}:)/,
  // A forgotten comma before the next field.
  /^\s{1,100}["“'][a-z_]{1,30}["”']\s{0,9}:/,
]

/** A quote ends a string only where JSON goes on behind it: words may have quotes of their own. */
function isEnd(text: string, at: number): boolean {
  const rest = text.slice(at, at + 250)
  return GOES_ON.some((pattern) => pattern.test(rest))
}

function readName(reader: Reader): string {
  const [name = ''] = /^[^\s:,{}[\]"]{1,100}/.exec(reader.text.slice(reader.at, reader.at + 100)) ?? []
  reader.at += name.length
  return name
}

const constants: Record<string, unknown> = { true: true, false: false, null: null }

function readBare(reader: Reader): unknown {
  const from = reader.at
  while (reader.at < reader.text.length && !/[,}\]\n]/.test(reader.text[reader.at] ?? '')) reader.at += 1
  const word = reader.text.slice(from, reader.at).trim()
  if (word in constants) return constants[word]
  return /^-?\d+(?:\.\d+)?$/.test(word) ? Number(word) : word
}

function skip(reader: Reader, signs: RegExp): void {
  while (reader.at < reader.text.length && signs.test(reader.text[reader.at] ?? '')) reader.at += 1
}
