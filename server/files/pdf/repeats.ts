import type { Block } from './layout.ts'

/** The share of the height of a page where headers and footers stand. */
const MARGIN = 0.13
const MIN_PAGES = 3
const MAX_LENGTH = 200

export interface LaidPage {
  number: number
  blocks: Block[]
  height: number
}

/**
 * Removes headers and footers that repeat, all but the first: it may be the only place with a number or a date. Numbers
 * of pages count as equal, other numbers do not: the last row of a table is no footer.
 */
export function withoutRepeats(pages: readonly LaidPage[]): LaidPage[] {
  const counts = new Map<string, number>()
  for (const page of pages) {
    for (const key of onceIn(page.blocks.map((block) => keysOf(block, page))))
      counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const least = Math.max(MIN_PAGES, Math.min(pages.length * 0.3, 20))
  const seen = new Set<string>()
  return pages.map((page) => {
    const [body, kept]: [Block[], Block[]] = [[], []]
    for (const block of page.blocks) {
      const key = keysOf(block, page).find((key) => (counts.get(key) ?? 0) >= least)
      if (!key) body.push(block)
      else if (!seen.has(key)) kept.push(block)
      if (key) seen.add(key)
    }
    // Before the text, so that a word cut by the end of the page meets its rest.
    return { ...page, blocks: [...kept, ...body] }
  })
}

/** A header stands once on its page; lines that are alike are text. */
function onceIn(keys: readonly string[][]): string[] {
  const times = new Map<string, number>()
  for (const key of keys.flat()) times.set(key, (times.get(key) ?? 0) + 1)
  return [...times.keys()].filter((key) => times.get(key) === 1)
}

/** The text itself, and the text with one number or all numbers counted from the number of the page. */
function keysOf({ lines, table, y }: Block, { number, height }: LaidPage): string[] {
  const isTop = y < height * MARGIN
  if ((!isTop && y < height * (1 - MARGIN)) || table || lines.length !== 1) return []
  const text = lines[0]?.replace(/\s+/g, ' ').trim() ?? ''
  if (text === '' || text.length > MAX_LENGTH) return []
  const zone = isTop ? 'top' : 'bottom'
  const fromPage = (digits: string) => `{${Number(digits) - number}}`
  const first = text.replace(/\d{1,4}/, fromPage)
  const last = text.replace(/\d{1,4}(?=\D*$)/, fromPage)
  return [...new Set([text, first, last])].map((key) => `${zone} ${key}`)
}
