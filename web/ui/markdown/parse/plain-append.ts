import type { Nodes, RootContent } from 'mdast'
import type { SplitText } from './types.ts'

/** Words without any character that means something to Markdown in the middle of a line. */
const PLAIN = /^[^\\`*_~[\]<>$#|&@^\s]*(?: +[^\\`*_~[\]<>$#|&@^\s]+)* *$/
const PLAIN_END = /[^\\`*_~[\]<>$#|&@^\s] *$/

/** More characters may turn these into a link, an entity or a formula. */
const MAY_BE_MORE = /[@&$\\]|:\/\/|www\./i

/**
 * Appends plain words to the last text node without parsing: most of what a model writes. Null when the new text, or
 * the line that it continues, may be more than plain text.
 */
export function appendPlainText(old: SplitText, text: string): SplitText | null {
  const block = old.blocks.at(-1)
  if (!block || old.blocks.length <= old.finished || !old.isPlain) return null
  const added = text.slice(old.text.length)
  const tail = old.text.slice(old.tailStart)
  const line = tail.slice(tail.lastIndexOf('\n') + 1)
  const isPlain = PLAIN.test(added) && PLAIN_END.test(line) && /\p{L}/u.test(line)
  if (!isPlain || MAY_BE_MORE.test(line + added) || tail.includes(']:')) return null
  const shown = line.replace(/ +$/, '')
  const waiting = line.slice(shown.length)
  const more = (waiting + added).replace(/ +$/, '')
  const node = appendToLast(block.node, more, shown.slice(-1))
  if (node && more === '') return { ...old, text }
  return node && { ...old, text, blocks: [...old.blocks.slice(0, -1), { ...block, node, end: text.length }] }
}

/** A copy of a block with text added to its last text node; null when it does not end in one. */
function appendToLast<Node extends RootContent>(node: Node, more: string, lastSign: string): Node | null {
  if (!canContainText(node)) return null
  const last = node.children.at(-1)
  if (!last) return null
  const longer =
    last.type === 'text'
      ? last.value.endsWith(lastSign) && { ...last, value: last.value + more }
      : appendToLast(last, more, lastSign)
  return longer ? { ...node, children: [...node.children.slice(0, -1), longer] } : null
}

const BLOCKS = new Set<Nodes['type']>([
  'paragraph',
  'heading',
  'list',
  'listItem',
  'blockquote',
  'table',
  'tableRow',
  'tableCell',
])

function canContainText(node: RootContent): node is RootContent & { children: RootContent[] } {
  return BLOCKS.has(node.type)
}
