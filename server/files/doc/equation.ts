/** Formulas of the Equation Editor 3.0 (MTEF 3), which DOC has as objects: bytes of nested records. */

const OLE_HEADER = 28
const MTEF_HEADER = 5
const VERSION = 3
const MAX_DEPTH = 40

const [END, LINE, CHARACTER, TEMPLATE, PILE, MATRIX, EMBELLISHMENT, RULER, FONT, SIZE] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
/** Signs of the records that follow, as bits. */
const [IS_NULL, HAS_RULER, HAS_EMBELLISHMENTS, HAS_SPACING, IS_NUDGED] = [1, 2, 2, 4, 8]
const [ROOT, FRACTION, SCRIPT] = [13, 14, 15]
const fences: Record<number, [string, string]> = {
  ...{ 0: ['⟨', '⟩'], 1: ['(', ')'], 2: ['{', '}'], 3: ['[', ']'], 4: ['|', '|'], 5: ['‖', '‖'] },
  ...{ 6: ['⌊', '⌋'], 7: ['⌈', '⌉'] },
}

const group = (text: string) => (/^[\p{L}\p{N}.,]*$/u.test(text) ? text : `(${text})`)
const raised = (sign: string, text = '') => (text === '' ? '' : sign + group(text))

/** The formula on one line; empty if it is not understood. */
export function readEquation(bytes: Buffer): string {
  if (bytes[OLE_HEADER] !== VERSION) return ''
  let at = OLE_HEADER + MTEF_HEADER
  const byte = () => bytes[at++] ?? END
  const nudge = (options: number) => {
    if (!(options & IS_NUDGED)) return
    const isLong = bytes[at] === 128 && bytes[at + 1] === 128
    at += isLong ? 6 : 2
  }
  /** The records up to the end of their list, as texts. */
  const list = (depth: number): string[] => {
    const texts: string[] = []
    while (at < bytes.length) {
      const tag = byte()
      const [kind, options] = [tag & 0xf, tag >> 4]
      if (kind === END) break
      if (kind === CHARACTER) {
        nudge(options)
        at += 1
        texts.push(at + 2 <= bytes.length ? String.fromCharCode(bytes.readUInt16LE(at)) : '')
        at += 2
        if (options & HAS_EMBELLISHMENTS) list(depth)
      } else if (kind === EMBELLISHMENT || kind === RULER || kind === FONT || kind === SIZE) skip(kind, options)
      else if (kind >= LINE && kind <= MATRIX) {
        if (depth > MAX_DEPTH) at = bytes.length
        else texts.push(nested(kind, options, depth + 1))
      }
    }
    return texts
  }
  const skip = (kind: number, options: number) => {
    if (kind === EMBELLISHMENT) {
      nudge(options)
      at += 1
    } else if (kind === RULER) at += 1 + (bytes[at] ?? 0) * 3
    else if (kind === FONT) {
      const end = bytes.indexOf(0, at + 2)
      at = end < 0 ? bytes.length : end + 1
    } else {
      const size = byte()
      at += size === 101 ? 2 : size === 100 ? 3 : 1
    }
  }
  const nested = (kind: number, options: number, depth: number): string => {
    nudge(options)
    if (kind === LINE) {
      if (options & HAS_SPACING) at += 2
      if (options & HAS_RULER) at += 2 + (bytes[at + 1] ?? 0) * 3
      return options & IS_NULL ? '' : list(depth).join('')
    }
    if (kind === TEMPLATE) {
      const [selector] = [byte(), byte(), byte()]
      return write(selector, list(depth))
    }
    if (kind === PILE) {
      at += 2
      return list(depth).join('; ')
    }
    at += 3
    const [rows, columns] = [byte(), byte()]
    at += Math.ceil((rows + 1) / 4) + Math.ceil((columns + 1) / 4)
    return `(${list(depth).join(' ')})`
  }
  return list(0).join('').replace(/\s+/g, ' ').trim()
}

function write(selector: number, texts: string[]): string {
  const [first = '', second = ''] = texts
  const fence = fences[selector]
  if (fence) return fence[0] + first + fence[1]
  if (selector === FRACTION) return `${group(first)}/${group(second)}`
  if (selector === ROOT) return `√${second && `[${second}]`}${group(first)}`
  if (selector === SCRIPT) return raised('_', first) + raised('^', second)
  return texts.filter(Boolean).join(' ')
}
