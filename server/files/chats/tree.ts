import type { ReadDocument, ReadMessage, ReadPicture } from './chat.ts'

/** What a node of an archive shows; null when it shows nothing. */
export interface Shown {
  role: 'user' | 'assistant'
  content: string
  model: string | null
  pictures: ReadPicture[]
  documents: ReadDocument[]
}

export interface TreeNode {
  id: string
  parent: string | null
  time: number | null
  shown: Shown | null
  /** What the model thought; belongs to the answer that follows. */
  thought: string
}

export interface Tree {
  messages: ReadMessage[]
  /** Null when nothing is shown. */
  leaf: string | null
}

/**
 * Makes a tree of messages from any nodes: hidden ones are left out and their children move up, a missing parent or a
 * circle begins a new branch, a child is never older than its parent. Answers in a row are one answer, as they were
 * one turn; where they branch, each branch has the common beginning. `current` is the node that was shown last.
 */
export function buildTree(nodes: readonly TreeNode[], current: string | null, startedAt: number): Tree {
  const known = new Map(nodes.map((node) => [node.id, node]))
  const ordered = parentsFirst(nodes, known)
  const shownLast = current !== null && known.has(current) ? current : lastLeaf(ordered)
  const end = ordered.find(({ id }) => id === shownLast)
  const turns = joinTurns(ordered, startedAt, end?.shown ? end.id : (end?.above ?? null))
  const leaf = shownLast === null ? null : (turns.at.get(shownLast) ?? null)
  const used = new Set(turns.messages.map(({ parent }) => parent))
  // The common beginning of branches is part of each of them.
  const isNeeded = ({ id }: ReadMessage) => !turns.copied.has(id) || used.has(id) || id === leaf
  const messages = turns.messages.filter(isNeeded)
  return { messages, leaf: leaf ?? messages.at(-1)?.id ?? null }
}

interface Placed extends TreeNode {
  /** The nearest node above that is shown. */
  above: string | null
  /** How many nodes that are shown follow directly. */
  followers: number
  /** The node directly above, shown or not. */
  up: string | null
}

/** Nodes in an order where a parent precedes its children; edges that make a circle are cut. */
function parentsFirst(nodes: readonly TreeNode[], known: Map<string, TreeNode>): Placed[] {
  const children = new Map<string | null, TreeNode[]>()
  const upOf = cutCircles(nodes, known)
  for (const node of known.values()) {
    const up = upOf.get(node.id) ?? null
    const list = children.get(up)
    if (list) list.push(node)
    else children.set(up, [node])
  }
  const placed = new Map<string, Placed>()
  const stack = (children.get(null) ?? []).toReversed()
  for (let node = stack.pop(); node; node = stack.pop()) {
    const up = upOf.get(node.id) ?? null
    const parent = up === null ? undefined : placed.get(up)
    const above = parent ? (parent.shown ? parent.id : parent.above) : null
    const thought = parent && !parent.shown ? joinTexts(parent.thought, node.thought) : node.thought
    placed.set(node.id, { ...node, thought, up, above, followers: 0 })
    if (node.shown && above !== null) {
      const shownAbove = placed.get(above)
      if (shownAbove) shownAbove.followers += 1
    }
    for (const child of (children.get(node.id) ?? []).toReversed()) stack.push(child)
  }
  return [...placed.values()]
}

function cutCircles(nodes: readonly TreeNode[], known: Map<string, TreeNode>): Map<string, string | null> {
  const upOf = new Map<string, string | null>()
  for (const { id } of nodes) {
    const path = new Set<string>()
    for (let at: string | null = id; at !== null && !upOf.has(at); ) {
      path.add(at)
      const parent: string | null = known.get(at)?.parent ?? null
      const isFree: boolean = parent !== null && known.has(parent) && !path.has(parent)
      upOf.set(at, isFree ? parent : null)
      at = isFree ? parent : null
    }
  }
  return upOf
}

/** Follows the last child, as services do that store no current node. */
function lastLeaf(ordered: readonly Placed[]): string | null {
  const last = new Map<string | null, string>()
  for (const { id, up } of ordered) last.set(up, id)
  let at = last.get(null) ?? null
  for (let next = at; next !== undefined && next !== null; next = last.get(next) ?? null) at = next
  return at
}

/** Copies of common beginnings may be so many times the text itself; what goes beyond stays a reply to an answer. */
const MAX_COPIED = 2_000_000

/** A turn ends at `end` even if it goes on in the archive: that is what was shown. */
function joinTurns(ordered: readonly Placed[], startedAt: number, end: string | null) {
  const messages = new Map<string, ReadMessage>()
  /** The message that shows a node. */
  const at = new Map<string, string>()
  const copied = new Set<string>()
  const newest = new Map<string | null, number>()
  const byId = new Map(ordered.map((node) => [node.id, node]))
  let copiedSymbols = 0

  function add(node: Placed, shown: Shown, parent: ReadMessage | undefined, begun?: ReadMessage): void {
    const parentId = parent?.id ?? null
    const time = node.time ?? parent?.createdAt ?? startedAt
    // Versions of a message are ordered by time, and theirs may be the same or inverted.
    const createdAt = Math.max(time, parent?.createdAt ?? 0, begun?.createdAt ?? 0, (newest.get(parentId) ?? 0) + 1)
    newest.set(parentId, createdAt)
    const thought = shown.role === 'assistant' ? node.thought : ''
    const own = { id: node.id, parent: parentId, ...shown, thought, createdAt }
    messages.set(node.id, begun ? join(begun, own) : own)
    at.set(node.id, node.id)
  }

  for (const node of ordered) {
    const { shown, above } = node
    if (!shown) {
      const seen = above === null ? undefined : at.get(above)
      if (seen !== undefined) at.set(node.id, seen)
      continue
    }
    const parent = above === null ? undefined : messages.get(at.get(above) ?? '')
    if (parent?.role !== 'assistant' || shown.role !== 'assistant') {
      add(node, shown, parent)
      continue
    }
    const isOnly = above !== end && byId.get(above ?? '')?.followers === 1
    copiedSymbols += isOnly ? 0 : parent.content.length
    if (isOnly) {
      messages.set(parent.id, join(parent, { ...parent, ...shown, thought: node.thought }))
      at.set(node.id, parent.id)
    } else if (copiedSymbols <= MAX_COPIED) {
      copied.add(parent.id)
      add(node, shown, parent.parent === null ? undefined : messages.get(parent.parent), parent)
    } else add(node, shown, parent)
  }
  return { messages: [...messages.values()], at, copied }
}

const join = (first: ReadMessage, next: ReadMessage): ReadMessage => ({
  ...next,
  content: joinTexts(first.content, next.content),
  thought: joinTexts(first.thought, next.thought),
  model: next.model ?? first.model,
  pictures: [...first.pictures, ...next.pictures],
  documents: [...first.documents, ...next.documents],
})

export const joinTexts = (...texts: string[]) => texts.filter((text) => text !== '').join('\n\n')
