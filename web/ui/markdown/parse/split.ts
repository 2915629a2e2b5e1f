import type { RootContent } from 'mdast'
import { closeDangling } from './dangling.ts'
import { endOfFinished } from './finished.ts'
import { addLabels, type Labels, labelsIn, NO_LABELS, type PlacedNode, parsePiece } from './labels.ts'
import { appendToFence, type OpenFence, openFence } from './open-fence.ts'
import { type HeldList, holdItems, withHeldItems } from './open-list.ts'
import { appendPlainText } from './plain-append.ts'
import { shareNode } from './share-nodes.ts'

/** A block of the top level: a paragraph, a list, a table. It stays the same object while it stays the same. */
export interface Block {
  node: RootContent
  /** Its lines in the text. */
  start: number
  end: number
}

/** A text split into blocks. All but those from `tailStart` on are finished: no text to come can change them. */
export interface Split {
  text: string
  isStreaming: boolean
  blocks: readonly Block[]
  /** How many blocks are finished. */
  finished: number
  tailStart: number
  /** What the finished blocks define; the whole text, when no more is to come. */
  labels: Labels
  /** Finished items of the list that the tail goes on with. */
  held: HeldList | null
  /** The fenced code that the text ends in. */
  fence: OpenFence | null
  /** The tail is shown as it was written: nothing in it had to be closed. */
  isPlain: boolean
}

const EMPTY: Split = {
  text: '',
  isStreaming: true,
  blocks: [],
  finished: 0,
  tailStart: 0,
  labels: NO_LABELS,
  held: null,
  fence: null,
  isPlain: true,
}

export function splitText(text: string, isStreaming: boolean): Split {
  if (!isStreaming) return readTail(EMPTY, text, false)
  // Read as it stands first: what is half said is then looked for in the last blocks only.
  return readTail(readTail(EMPTY, text, true, text), text, true)
}

/**
 * The split of a text that has grown, for the price of what is new in it. A text that has ended and then goes on is
 * read from its start, because its last definitions were taken for whole.
 */
export function advanceSplit(old: Split, text: string, isStreaming: boolean): Split {
  if (text === old.text && isStreaming === old.isStreaming) return old
  if (!old.isStreaming || !text.startsWith(old.text)) return splitText(text, isStreaming)
  if (!isStreaming) return readTail(old, text, isStreaming)
  return appendToFence(old, text) ?? appendPlainText(old, text) ?? readTail(old, text, isStreaming)
}

const NOTHING = { count: 0, offset: 0 }

/** A block that is shown otherwise than it is written is not finished. */
function finishedIn(placed: readonly PlacedNode[], shown: string, source: string) {
  const end = endOfFinished(placed, shown)
  return shown === source || source.startsWith(shown.slice(0, end.offset)) ? end : NOTHING
}

function readTail(old: Split, text: string, isStreaming: boolean, asIs?: string): Split {
  const { tailStart } = old
  const source = text.slice(tailStart)
  const shown = asIs ?? (isStreaming ? closeDangling(source) : source)
  const placed = parsePiece(shown, old.labels)
  const end = isStreaming ? finishedIn(placed, shown, source) : NOTHING
  const tail = withHeldItems(old.held, placed, tailStart).map((block, i) => ({
    ...block,
    node: shareNode(old.blocks[old.finished + i]?.node, block.node),
  }))
  const split: Split = {
    text,
    isStreaming,
    blocks: [...old.blocks.slice(0, old.finished), ...tail],
    finished: old.finished + end.count,
    tailStart: tailStart + end.offset,
    labels: old.labels,
    held: end.count > 0 ? null : old.held,
    fence: isStreaming ? openFence(placed.at(-1), shown, tailStart) : null,
    isPlain: shown === source,
  }
  return linkLabels(old, isStreaming ? holdItems(split, placed.slice(end.count), shown) : split)
}

/** New definitions may turn text in earlier blocks into references: those blocks are read again. */
function linkLabels(old: Split, split: Split): Split {
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
  // A heading underlined after a definition begins, for the parser, where the definition does: the block is the last.
  const again: PlacedNode | undefined = parsePiece(source, labels).at(-1)
  return again ? { ...block, node: shareNode(block.node, again.node) } : block
}
