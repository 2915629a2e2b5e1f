import type { List, ListItem } from 'mdast'
import { lineStart } from './parse.ts'
import type { Block, HeldList, PlacedNode, SplitText } from './types.ts'

/** Turns the nodes of the tail into blocks; the first one, if it is a list, gets the held items back. */
export function withHeldItems(held: HeldList | null, placed: readonly PlacedNode[], offset: number): Block[] {
  return placed.map(({ node, start, end }, i) => {
    const block = { node, start: start + offset, end: end + offset }
    if (i > 0 || !held || node.type !== 'list') return block
    const spread = held.isSpread || node.spread
    const children = [...held.items, ...node.children]
    return { ...block, start: held.start, node: { ...node, start: held.first, spread, children } }
  })
}

/** If the tail begins with a list, moves the start of the tail to its last two items and holds the others. */
export function holdItems(split: SplitText, tail: readonly PlacedNode[], source: string): SplitText {
  const [placed] = tail
  const whole = split.blocks[split.finished]
  if (placed?.node.type !== 'list' || whole?.node.type !== 'list') return split
  const items = placed.node.children
  const [next] = items.slice(-2)
  // A definition inside the list has to stay in the text that is parsed.
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

/** Whether a blank line follows one of the first `count` items. */
function isSpread(list: List, count: number): boolean {
  return list.children.slice(0, count).some((item, i) => {
    const next = list.children[i + 1]
    return (next?.position?.start.line ?? 0) - (item.position?.end.line ?? 0) > 1
  })
}
