import type { Nodes, RootContent } from 'mdast'

/**
 * The new node, with whatever has not changed taken from the old one: what is the same object need not be drawn
 * again. Places in the text are left out; they differ even where nothing else does.
 */
export function shareNode<Node extends Nodes>(old: Nodes | undefined, fresh: Node): Node {
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
