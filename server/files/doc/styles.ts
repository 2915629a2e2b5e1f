import type { Raised } from '../raised.ts'
import { codes, eachChange } from './properties.ts'

const HEADINGS = 9
const [PARAGRAPH, RUN] = [1, 2]
const MAX_CHAIN = 20
const NO_STYLE = 0xfff
const BODY_TEXT = 9

export interface DocStyle {
  heading: number | null
  list: number | undefined
  depth: number | undefined
  look: DocLook
  /** The style itself and those that it is based on. */
  chain: number[]
}

/** How characters look; undefined is what a style leaves to others. */
export interface DocLook {
  hidden?: boolean
  struck?: boolean
  doubleStruck?: boolean
  raised?: Raised | null
}

const noStyle = (): DocStyle => ({ heading: null, list: undefined, depth: undefined, look: {}, chain: [] })

interface Stored extends Omit<DocStyle, 'chain'> {
  base: number
}

const toggles = { [codes.hidden]: 'hidden', [codes.struck]: 'struck', [codes.doubleStruck]: 'doubleStruck' } as const
const isToggle = (code: number): code is keyof typeof toggles => code in toggles

/** Sets what a change says about the look; `base` is the look of the style that it may refer to. */
export function addDocLook(look: DocLook, base: DocLook, code: number, value: number): void {
  if (code === codes.raised) look.raised = value === 1 ? 'super' : value === 2 ? 'sub' : null
  if (!isToggle(code)) return
  const name = toggles[code]
  // 0x80 is what the style says, 0x81 the opposite.
  look[name] = value === 0x80 ? (base[name] ?? false) : value === 0x81 ? !base[name] : value === 1
}

/** Styles by their numbers, each with what it has from those that it is based on. */
export function readDocStyles(sheet: Buffer): (number: number) => DocStyle {
  const stored: (Stored | undefined)[] = []
  const resolved = new Map<number, DocStyle>()
  if (sheet.length > 6) {
    const baseBytes = sheet.readUInt16LE(4)
    for (let at = 2 + sheet.readUInt16LE(0); at + 2 <= sheet.length && stored.length < NO_STYLE; ) {
      const length = sheet.readUInt16LE(at)
      stored.push(length === 0 ? undefined : styleIn(sheet.subarray(at + 2, at + 2 + length), baseBytes))
      at += 2 + length
    }
  }
  const resolve = (number: number): DocStyle => {
    const style = noStyle()
    for (let next = number; next !== NO_STYLE && style.chain.length < MAX_CHAIN; ) {
      const own = stored[next]
      if (!own) break
      style.chain.push(next)
      style.heading ??= own.heading
      style.list ??= own.list
      style.depth ??= own.depth
      style.look = { ...own.look, ...style.look }
      next = own.base
    }
    return style
  }
  return (number) => {
    const known = resolved.get(number) ?? resolve(number)
    resolved.set(number, known)
    return known
  }
}

function styleIn(bytes: Buffer, baseBytes: number): Stored | undefined {
  if (bytes.length < baseBytes + 2 || baseBytes < 10) return undefined
  const builtIn = bytes.readUInt16LE(0) & 0xfff
  const [kind, base] = [bytes.readUInt16LE(2) & 0xf, bytes.readUInt16LE(2) >> 4]
  const isHeading = kind === PARAGRAPH && builtIn >= 1 && builtIn <= HEADINGS
  const style: Stored = { ...noStyle(), heading: isHeading ? builtIn : null, base }
  let at = baseBytes + 2 + bytes.readUInt16LE(baseBytes) * 2 + 2
  for (let part = kind === RUN ? 1 : 0; part < 2 && at + 2 <= bytes.length; part += 1) {
    const length = bytes.readUInt16LE(at)
    // Changes of a paragraph come after the number of the style.
    eachChange(bytes.subarray(at + 2 + (part === 0 ? 2 : 0), at + 2 + length), (code, value) => {
      if (code === codes.list) style.list = value
      if (code === codes.depth) style.depth = value
      if (code === codes.outline) style.heading = value < BODY_TEXT ? value + 1 : null
      addDocLook(style.look, {}, code, value)
    })
    at += 2 + length + (length & 1)
  }
  return style
}
