import type { List, ListItem } from 'mdast'
import { lineStart, type PlacedNode } from './labels.ts'
import type { Block, Split } from './split.ts'

/** The finished items of a list that still grows: a long list is read again from its last two items only. */
export interface HeldList {
  /** Where the list begins in the text. */
  start: number
  first: number | null | undefined
  items: readonly ListItem[]
  isSpread: boolean
}

/** The blocks of a tail, the held items put back in front of theirs. */
export function withHeldItems(held: HeldList | null, placed: readonly PlacedNode[], offset: number): Block[] {
  return placed.map(({ node, start, end }, i) => {
    const block = { node, start: start + offset, end: end + offset }
    if (i > 0 || !held || node.type !== 'list') return block
    const spread = held.isSpread || node.spread
    const children = [...held.items, ...node.children]
    return { ...block, start: held.start, node: { ...node, start: held.first, spread, children } }
  })
}

/** Moves the start of the tail behind the finished items of its first block; `tail` is that tail as it was read. */
export function holdItems(split: Split, tail: readonly PlacedNode[], source: string): Split {
  const [placed] = tail
  const whole = split.blocks[split.finished]
  if (placed?.node.type !== 'list' || whole?.node.type !== 'list') return split
  const items = placed.node.children
  const [next] = items.slice(-2)
  // A definition inside the list has to stay where the parser sees it.
  if (items.length <= 2 || !next || source.slice(placed.start, placed.end).includes(']:')) return split
  const offset = split.tailStart - placed.start + lineStart(source, offsetOf(next, placed))
  const count = whole.node.children.length - 2
  const held: HeldList = {
    start: whole.start,
    first: whole.node.start,
    items: whole.node.children.slice(0, count),
    isSpread: split.held?.isSpread === true || isSpread(placed.node, items.length - 2),
  }
  return { ...split, held, tailStart: offset }
}

const offsetOf = ({ position }: ListItem, { shift }: PlacedNode) => (position?.start.offset ?? 0) - shift

/** Whether a blank line stands behind one of the first `count` items. */
function isSpread(list: List, count: number): boolean {
  return list.children.slice(0, count).some((item, i) => {
    const next = list.children[i + 1]
    return (next?.position?.start.line ?? 0) - (item.position?.end.line ?? 0) > 1
  })
}
