import { foldCharacters, foldFound } from '#contract/found-text.ts'

/** Text of messages; not their buttons, prices and thoughts. */
const TEXTS = '[data-text], .answer'
const BLOCKS = 'p, li, td, th, pre, h1, h2, h3, h4, h5, h6, [data-text]'

/** Where the words are shown in a message, in the order of reading. */
export function foundRanges(row: Element, query: string): Range[] {
  const words = foldFound(query)
  if (words === '') return []
  return [...row.querySelectorAll(TEXTS)]
    .filter((text) => !text.closest('[data-thought]'))
    .flatMap((text) => rangesIn(text, words))
}

function rangesIn(element: Element, words: string): Range[] {
  const { folded, nodes, offsets } = charactersOf(element)
  const ranges: Range[] = []
  for (let at = folded.indexOf(words); at >= 0; at = folded.indexOf(words, at + words.length)) {
    const last = at + words.length - 1
    const [first, end] = [nodes[at], nodes[last]]
    if (!first || !end) continue
    const range = new Range()
    range.setStart(first, offsets[at] ?? 0)
    range.setEnd(end, (offsets[last] ?? 0) + 1)
    ranges.push(range)
  }
  return ranges
}

/** The text as it is compared, with the place of each character: words may be cut by bold type and links. */
function charactersOf(element: Element) {
  const nodes: (Text | null)[] = []
  const offsets: number[] = []
  let folded = ''
  let block: Element | null | undefined = null
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue
    const around = node.parentElement?.closest(BLOCKS)
    if (folded !== '' && around !== block) add('\n', null, 0)
    block = around
    for (let i = 0; i < node.data.length; i += 1)
      for (const sign of foldCharacters(node.data.charAt(i))) add(sign, node, i)
  }
  function add(sign: string, node: Text | null, offset: number) {
    folded += sign
    nodes.push(node)
    offsets.push(offset)
  }
  return { folded, nodes, offsets }
}

/** Room for the bars at the top and the field at the bottom. */
const COVERED = { top: 120, bottom: 200 }

export function scrollToRange(range: Range): void {
  // Inside wide code and tables.
  range.startContainer.parentElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  const { top, bottom } = range.getBoundingClientRect()
  const isShown = top >= COVERED.top && bottom <= innerHeight - COVERED.bottom
  if (!isShown) scrollBy({ top: (top + bottom) / 2 - innerHeight * 0.4 })
}
