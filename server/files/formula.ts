import type { Attributes } from './xml.ts'

interface Part {
  name: string
  text: string
}

interface Node {
  name: string
  parts: Part[]
  /** The sign of a sum or an integral, or the brackets, where they are named. */
  signs: Record<string, string>
}

/** Deeper parts are joined without signs, so that a formula costs no more than its length. */
const MAX_DEPTH = 40

const group = (text: string) => (/^[\p{L}\p{N}.,]*$/u.test(text) || text.length === 1 ? text : `(${text})`)
const raised = (sign: string, text = '') => (text === '' ? '' : `${sign}${group(text)}`)

/** Formulas of Word (OMML) and of OpenDocument (MathML) on one line: «S=a/b+x^2». */
export function createFormula() {
  const stack: Node[] = [{ name: '', parts: [], signs: {} }]
  let [deeper, text] = [0, '']
  const flush = () => {
    if (text !== '') stack.at(-1)?.parts.push({ name: 'text', text })
    text = ''
  }
  return {
    open: (name: string, attribute: Attributes) => {
      if (stack.length > MAX_DEPTH) {
        deeper += 1
        return
      }
      flush()
      const sign = attribute('val')
      // Properties are two levels below what they describe: nary, naryPr, chr.
      if (isSign(name) && sign !== undefined) set(stack.at(-2), name, sign)
      stack.push({ name, parts: [], signs: {} })
    },
    text: (content: string) => {
      text += content.replace(/[\u2061-\u2064]/g, '').replace(/[\r\n]+/g, ' ')
    },
    close: () => {
      if (deeper > 0) {
        deeper -= 1
        return
      }
      flush()
      const node = stack.length > 1 ? stack.pop() : undefined
      if (!node) return
      const written = write(node)
      if (isSign(node.name)) set(stack.at(-2), node.name, written)
      else if (!node.name.endsWith('Pr') && !/^annotation/.test(node.name))
        stack.at(-1)?.parts.push({ name: node.name, text: written })
    },
    end: () => {
      flush()
      return write({ name: '', parts: stack.flatMap(({ parts }) => parts), signs: {} })
        .replace(/\s+/g, ' ')
        .trim()
    },
  }
}

export type Formula = ReturnType<typeof createFormula>

const isSign = (name: string) => /^(chr|begChr|endChr|sepChr)$/.test(name)

/** RTF has the sign as text, Word as an attribute. */
function set(node: Node | undefined, name: string, sign: string): void {
  if (node && sign !== '') node.signs[name] = sign
}

function write({ name, parts, signs }: Node): string {
  const texts = parts.map(({ text }) => text)
  const [first = '', second = '', third = ''] = texts
  const named = (wanted: string) => parts.find((part) => part.name === wanted)?.text ?? ''
  switch (name) {
    case 'f':
    case 'mfrac':
      return `${group(first)}/${group(second)}`
    case 'sSup':
    case 'msup':
    case 'mover':
    case 'limUpp':
      return first + raised('^', second)
    case 'sSub':
    case 'msub':
    case 'munder':
    case 'limLow':
      return first + raised('_', second)
    case 'sSubSup':
    case 'msubsup':
    case 'munderover':
      return first + raised('_', second) + raised('^', third)
    case 'nary':
      return `${signs.chr ?? '∫'}${raised('_', named('sub'))}${raised('^', named('sup'))} ${named('e')}`
    case 'rad':
      return `√${named('deg') ? `[${named('deg')}]` : ''}${group(named('e'))}`
    case 'msqrt':
      return `√${group(texts.join(''))}`
    case 'mroot':
      return `√[${second}]${group(first)}`
    case 'd':
      return `${signs.begChr ?? '('}${texts.join(signs.sepChr ?? '|')}${signs.endChr ?? ')'}`
    case 'mr':
    case 'mtr':
      return texts.join(' ')
    case 'm':
    case 'mtable':
      return texts.join('; ')
    default:
      return texts.join('')
  }
}
