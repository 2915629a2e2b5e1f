import type { ListItem } from '../blocks.ts'
import { type Counts, isFormat, type Level, type ListUse, nextLabel } from '../numbering.ts'
import { readXml } from '../xml.ts'
import { formerProperties, isOn, numberOf, type Styles } from './styles.ts'

type NumberedLevel = Level & { style: string | null }

interface Abstract {
  levels: NumberedLevel[]
  counts: Counts
  /** The style that has the levels instead. */
  link: string | null
}

interface Num {
  abstractId: string
  starts: Map<number, number>
  levels: Map<number, NumberedLevel>
}

/** The numbering that a paragraph names itself; what it leaves out comes from its style. */
export interface ParagraphNumbering {
  style: string | null
  numId?: string | undefined
  depth?: number | undefined
}

const MAX_LINKS = 5
const DEPTHS = 9

/** Counts the paragraphs of a document in their order. Null for a paragraph without a number. */
export function createLabels(xml: string, styles: Styles): (of: ParagraphNumbering) => ListItem | null {
  const { abstracts, nums } = readNumbering(xml)
  const uses = new Map<string, (Omit<ListUse, 'levels'> & { levels: NumberedLevel[] }) | null>()

  const abstractOf = (num: Num | undefined, links = 0): Abstract | undefined => {
    const abstract = abstracts.get(num?.abstractId ?? '')
    if (!abstract?.link || links >= MAX_LINKS) return abstract
    return abstractOf(nums.get(styles.numberingOf(abstract.link).numId ?? ''), links + 1) ?? abstract
  }
  const listFor = (numId: string) => {
    const known = uses.get(numId)
    if (known !== undefined) return known
    const num = nums.get(numId)
    const abstract = abstractOf(num)
    const use =
      num && abstract
        ? {
            counts: abstract.counts,
            restarts: new Map(num.starts),
            levels: Array.from({ length: DEPTHS }, (_, at) => {
              const level = num.levels.get(at) ?? abstract.levels[at] ?? noLevel()
              return { ...level, start: num.starts.get(at) ?? level.start }
            }),
          }
        : null
    uses.set(numId, use)
    return use
  }

  return ({ style, numId, depth }) => {
    const fromStyle = styles.numberingOf(style)
    const id = numId ?? fromStyle.numId
    const use = id === undefined || id === '0' ? null : listFor(id)
    if (!use) return null
    // A level names the style that it belongs to; what the style says about its depth does not count then.
    const linked = numId === undefined && depth === undefined ? linkedLevel(use.levels, styles.chainOf(style)) : -1
    const at = Math.min(linked >= 0 ? linked : (depth ?? fromStyle.depth ?? 0), DEPTHS - 1)
    return { label: nextLabel(use, at), depth: at, list: use.counts }
  }
}

function linkedLevel(levels: NumberedLevel[], chain: readonly string[]): number {
  for (const style of chain) {
    const at = levels.findIndex((level) => level.style === style)
    if (at >= 0) return at
  }
  return -1
}

const noLevel = (): NumberedLevel => ({
  ...{ start: 1, format: 'decimal', text: '', restartsAfter: null, isLegal: false, style: null },
})

function readNumbering(xml: string): { abstracts: Map<string, Abstract>; nums: Map<string, Num> } {
  const abstracts = new Map<string, Abstract>()
  const nums = new Map<string, Num>()
  let abstract: Abstract | null = null
  let num: Num | null = null
  let [level, override] = [noLevel(), 0]
  readXml(xml, {
    skip: new Set(formerProperties),
    open: (name, attribute) => {
      if (name === 'abstractNum') {
        ;[abstract, num] = [{ levels: [], counts: [], link: null }, null]
        abstracts.set(attribute('abstractNumId') ?? '', abstract)
      }
      if (name === 'num') {
        ;[num, abstract] = [{ abstractId: '', starts: new Map(), levels: new Map() }, null]
        nums.set(attribute('numId') ?? '', num)
      }
      if (name === 'abstractNumId' && num) num.abstractId = attribute('val') ?? ''
      if (name === 'numStyleLink' && abstract) abstract.link = attribute('val') ?? null
      if (name === 'lvlOverride') override = numberOf(attribute, 'ilvl') ?? 0
      if (name === 'startOverride') num?.starts.set(override, numberOf(attribute) ?? 1)
      if (name === 'lvl') {
        level = noLevel()
        const at = numberOf(attribute, 'ilvl') ?? 0
        if (num) num.levels.set(override, level)
        else if (abstract && at < DEPTHS) abstract.levels[at] = level
      }
      if (name === 'start') level.start = numberOf(attribute) ?? 1
      if (name === 'numFmt') {
        const format = attribute('val') ?? ''
        level.format = isFormat(format) ? format : 'decimal'
      }
      if (name === 'lvlText') level.text = attribute('val') ?? ''
      if (name === 'lvlRestart') level.restartsAfter = numberOf(attribute) ?? null
      if (name === 'isLgl') level.isLegal = isOn(attribute)
      if (name === 'pStyle') level.style = attribute('val') ?? null
    },
  })
  return { abstracts, nums }
}
