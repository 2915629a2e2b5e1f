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
  isHidden: boolean
  /** The style itself and those that it is based on. */
  chain: number[]
}

const noStyle = (): DocStyle => ({ heading: null, list: undefined, depth: undefined, isHidden: false, chain: [] })

interface Stored extends Omit<DocStyle, 'chain' | 'isHidden'> {
  base: number
  isHidden: boolean | undefined
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
    let isHidden: boolean | undefined
    for (let next = number; next !== NO_STYLE && style.chain.length < MAX_CHAIN; ) {
      const own = stored[next]
      if (!own) break
      style.chain.push(next)
      style.heading ??= own.heading
      style.list ??= own.list
      style.depth ??= own.depth
      isHidden ??= own.isHidden
      next = own.base
    }
    return { ...style, isHidden: isHidden ?? false }
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
  const style: Stored = { ...noStyle(), heading: isHeading ? builtIn : null, base, isHidden: undefined }
  let at = baseBytes + 2 + bytes.readUInt16LE(baseBytes) * 2 + 2
  for (let part = kind === RUN ? 1 : 0; part < 2 && at + 2 <= bytes.length; part += 1) {
    const length = bytes.readUInt16LE(at)
    // Changes of a paragraph come after the number of the style.
    eachChange(bytes.subarray(at + 2 + (part === 0 ? 2 : 0), at + 2 + length), (code, value) => {
      if (code === codes.list) style.list = value
      if (code === codes.depth) style.depth = value
      if (code === codes.outline) style.heading = value < BODY_TEXT ? value + 1 : null
      if (code === codes.hidden) style.isHidden = (value & 1) === 1
    })
    at += 2 + length + (length & 1)
  }
  return style
}
