import type { Raised } from '../raised.ts'
import { type Attributes, readXml } from '../xml.ts'

/** What a style says itself; undefined is what it leaves to the style that it is based on. */
interface Style {
  name: string
  basedOn?: string | undefined
  numId?: string | undefined
  depth?: number | undefined
  outline?: number | undefined
  look: Look
}

/** How the characters of a run look; undefined is what its style decides, and then that of the paragraph. */
export interface Look {
  isHidden?: boolean
  isStruck?: boolean
  isDoubleStruck?: boolean
  raised?: Raised | null
}

export interface Styles {
  /** The level of a heading, from 1; null for other paragraphs. */
  headingOf: (id: string | null) => number | null
  /** What a style says with those that it is based on. */
  lookOf: (id: string | null) => Look
  numberingOf: (id: string | null) => { numId?: string | undefined; depth?: number | undefined }
  /** The style and those that it is based on. */
  chainOf: (id: string | null) => readonly string[]
}

const MAX_CHAIN = 20
/** The outline level of paragraphs that are no headings. */
export const BODY_TEXT = 9

/** On by being there, unless its value says otherwise. */
export const isOn = (attribute: Attributes) => !/^(0|false|off|none)$/.test(attribute('val') ?? '')

/** Sets what an element of run properties says; true if it is one of them. */
export function addLook(look: Look, name: string, attribute: Attributes): boolean {
  if (name === 'vanish') look.isHidden = isOn(attribute)
  else if (name === 'strike') look.isStruck = isOn(attribute)
  else if (name === 'dstrike') look.isDoubleStruck = isOn(attribute)
  else if (name === 'vertAlign') {
    const value = attribute('val') ?? ''
    look.raised = value === 'superscript' ? 'super' : value === 'subscript' ? 'sub' : null
  } else return false
  return true
}

export const numberOf = (attribute: Attributes, name = 'val'): number | undefined => {
  const value = Number(attribute(name) ?? Number.NaN)
  return Number.isInteger(value) && value >= 0 && value < 2 ** 31 ? value : undefined
}

/** What a paragraph style may have changed before is stored beside what it has now. */
export const formerProperties = ['pPrChange', 'rPrChange', 'numberingChange', 'sectPrChange', 'tblPrChange']

export function readStyles(xml: string): Styles {
  const styles = new Map<string, Style>()
  let style: Style = { name: '', look: {} }
  let fallback: string | null = null
  readXml(xml, {
    skip: new Set([...formerProperties, 'tblStylePr']),
    open: (name, attribute) => {
      if (name === 'style') {
        style = { name: '', look: {} }
        const id = attribute('styleId') ?? ''
        styles.set(id, style)
        if (attribute('type') === 'paragraph' && attribute('default') === '1') fallback = id
      }
      if (name === 'name') style.name = attribute('val') ?? ''
      if (name === 'basedOn') style.basedOn = attribute('val')
      if (name === 'numId') style.numId = attribute('val')
      if (name === 'ilvl') style.depth = numberOf(attribute)
      if (name === 'outlineLvl') style.outline = numberOf(attribute)
      addLook(style.look, name, attribute)
    },
  })
  const chains = new Map<string, string[]>()
  const chainOf = (id: string | null) => {
    const own = id ?? fallback ?? ''
    let chain = chains.get(own)
    if (!chain) {
      chain = []
      for (let next: string | undefined = own; next !== undefined && chain.length < MAX_CHAIN; ) {
        chain.push(next)
        next = styles.get(next)?.basedOn
      }
      chains.set(own, chain)
    }
    return chain
  }
  const first = <Key extends keyof Style>(id: string | null, key: Key): Style[Key] | undefined => {
    for (const next of chainOf(id)) {
      const value = styles.get(next)?.[key]
      if (value !== undefined) return value
    }
    return undefined
  }
  const looks = new Map<string | null, Look>()
  const lookOf = (id: string | null) => {
    let look = looks.get(id)
    if (!look) {
      look = Object.assign(
        {},
        ...chainOf(id)
          .toReversed()
          .map((next) => styles.get(next)?.look ?? {}),
      ) as Look
      looks.set(id, look)
    }
    return look
  }
  return {
    chainOf,
    headingOf: (id) => {
      const outline = first(id, 'outline')
      if (outline !== undefined) return outline >= BODY_TEXT ? null : outline + 1
      const named = /^heading ?([1-6])?$/i.exec(styles.get(id ?? '')?.name ?? id ?? '')
      return named ? Number(named[1] ?? 1) : null
    },
    lookOf,
    numberingOf: (id) => ({ numId: first(id, 'numId'), depth: first(id, 'depth') }),
  }
}
