import type { Nodes, RootContent } from 'mdast'
import { closeDangling, endsInOpenBlock } from './dangling.ts'
import { endOfFinished } from './finished.ts'
import { addLabels, labelsIn } from './labels.ts'
import { type CutText, cutLongParagraphs, NO_TEXT } from './long-paragraphs.ts'
import { appendToFence, openFence } from './open-fence.ts'
import { holdItems, withHeldItems } from './open-list.ts'
import { parseFragment } from './parse.ts'
import { appendPlainText } from './plain-append.ts'
import { type Block, type Labels, NO_LABELS, type PlacedNode, type SplitText } from './types.ts'

const EMPTY: SplitText = {
  cut: NO_TEXT,
  text: '',
  isStreaming: true,
  blocks: [],
  finished: 0,
  tailStart: 0,
  labels: NO_LABELS,
  held: null,
  fence: null,
  isBlockOpen: false,
  isPlain: true,
}

export function splitText(text: string, isStreaming: boolean): SplitText {
  return splitCut(cutLongParagraphs(NO_TEXT, text), isStreaming)
}

function splitCut(cut: CutText, isStreaming: boolean): SplitText {
  const start = { ...EMPTY, cut }
  if (!isStreaming) return readTail(start, cut.text, false)
  // The first pass finds the finished blocks, so that the second one completes the markup of the tail only.
  return readTail(readTail(start, cut.text, true, cut.text), cut.text, true)
}

/**
 * The split of a text that has grown; costs as much as its new part. A text that had ended and goes on is parsed from
 * its start, because definitions at its end were taken as complete.
 */
export function advanceSplit(known: SplitText, raw: string, isStreaming: boolean): SplitText {
  if (raw === known.cut.raw && isStreaming === known.isStreaming) return known
  const cut = cutLongParagraphs(known.cut, raw)
  const { text } = cut
  if (!known.isStreaming || !text.startsWith(known.text)) return splitCut(cut, isStreaming)
  const old = { ...known, cut }
  if (!isStreaming) return readTail(old, text, isStreaming)
  return appendToFence(old, text) ?? appendPlainText(old, text) ?? readTail(old, text, isStreaming)
}

/** About as much as a slow phone parses in 50 ms. While the parser runs for the first time it is compiled, too. */
const PIECE = 300
const FIRST_PIECE = 80

/** A text without blank lines is cut anywhere, as a stream would cut it. */
const LONGEST_PIECE = 8000

/** A finished text, parsed from one blank line to the next; the last split is that of the whole. */
export function* splitInPieces(text: string): Generator<SplitText, void> {
  let split = EMPTY
  for (let from = 0; ; ) {
    // What is not finished is parsed again with the next piece: as much is added as there is of it.
    const unfinished = split.text.length - split.tailStart
    const blank = text.indexOf('\n\n', from + (from === 0 ? FIRST_PIECE : Math.max(PIECE, unfinished)))
    const most = from + LONGEST_PIECE + unfinished
    if (most >= text.length && blank < 0) break
    from = blank < 0 || blank > most ? most - (isHalf(text, most) ? 1 : 0) : blank
    split = advanceSplit(split, text.slice(0, from), true)
    yield split
  }
  yield advanceSplit(split, text, false)
}

const isHalf = (text: string, end: number) => /[\uD800-\uDBFF]/.test(text[end - 1] ?? '')

const NOTHING = { count: 0, offset: 0 }

/** A block that is shown differently from what is written is not finished. */
function finishedIn(placed: readonly PlacedNode[], shown: string, source: string) {
  const end = endOfFinished(placed, shown)
  return shown === source || source.startsWith(shown.slice(0, end.offset)) ? end : NOTHING
}

/** Parses the text from `tailStart` on; `asIs` skips the completion of open markup. */
function readTail(old: SplitText, text: string, isStreaming: boolean, asIs?: string): SplitText {
  const { tailStart } = old
  const source = text.slice(tailStart)
  const shown = asIs ?? (isStreaming ? closeDangling(source) : source)
  const placed = parseFragment(shown, old.labels)
  const end = isStreaming ? finishedIn(placed, shown, source) : NOTHING
  const tail = withHeldItems(old.held, placed, tailStart).map((block, i) => ({
    ...block,
    node: shareNode(old.blocks[old.finished + i]?.node, block.node),
  }))
  const split: SplitText = {
    cut: old.cut,
    text,
    isStreaming,
    blocks: [...old.blocks.slice(0, old.finished), ...tail],
    finished: old.finished + end.count,
    tailStart: tailStart + end.offset,
    labels: old.labels,
    held: end.count > 0 ? null : old.held,
    fence: isStreaming ? openFence(placed.at(-1), shown, tailStart) : null,
    isBlockOpen: isStreaming && endsInOpenBlock(source),
    isPlain: shown === source,
  }
  return linkLabels(old, isStreaming ? holdItems(split, placed.slice(end.count), shown) : split)
}

/** New definitions may turn text in earlier blocks into references: those blocks are parsed again. */
function linkLabels(old: SplitText, split: SplitText): SplitText {
  const sources = split.blocks.slice(old.finished, split.isStreaming ? split.finished : undefined)
  const fresh = sources.filter(({ start, end }) => split.text.slice(start, end).includes(']:'))
  const labels = addLabels(
    old.labels,
    fresh.map(({ node }) => node),
  )
  if (labels === old.labels) return split
  const blocks = split.blocks.map((block) => relink(block, split.text, old.labels, labels))
  const tailStart = split.held?.start ?? split.tailStart
  return { ...split, labels, blocks, tailStart, held: null }
}

function relink(block: Block, text: string, old: Labels, labels: Labels): Block {
  const source = text.slice(block.start, block.end)
  const [before, after] = [labelsIn(source, old), labelsIn(source, labels)]
  if (before.links.length === after.links.length && before.notes.length === after.notes.length) return block
  // For the parser a heading underlined after a definition begins at the definition: the block itself is the last node.
  const again: PlacedNode | undefined = parseFragment(source, labels).at(-1)
  return again ? { ...block, node: shareNode(block.node, again.node) } : block
}

/**
 * The fresh node with every unchanged part replaced by the old object, so that React skips it. Positions are dropped:
 * they differ even where nothing else does.
 */
function shareNode<Node extends Nodes>(old: Nodes | undefined, fresh: Node): Node {
  const before = old?.type === fresh.type ? fields(old) : undefined
  const after = fields(fresh)
  let isSame = before !== undefined && Object.keys(before).length === Object.keys(after).length
  const shared: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(after)) {
    shared[name] = shareField(before?.[name], value)
    if (shared[name] !== before?.[name]) isSame = false
  }
  return (isSame ? old : shared) as Node
}

function shareField(old: unknown, fresh: unknown): unknown {
  if (!Array.isArray(fresh)) return fresh
  const before: unknown[] = Array.isArray(old) ? old : []
  const after = fresh.map((value, i) => (isNode(value) ? shareNode(asNode(before[i]), value) : value))
  return Array.isArray(old) && old.length === after.length && after.every((value, i) => value === old[i]) ? old : after
}

function fields(node: Nodes): Record<string, unknown> {
  const { position, data, ...rest } = node
  return rest
}

const asNode = (value: unknown) => (isNode(value) ? value : undefined)

function isNode(value: unknown): value is RootContent {
  return typeof value === 'object' && value !== null && 'type' in value
}
