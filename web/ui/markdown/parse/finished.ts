import type { Nodes } from 'mdast'
import type { PlacedNode } from './types.ts'

const LINE_END = /^[ \t]*\r?\n/
const BLANK_LINE = /^[ \t]*\r?\n[ \t]*\r?\n/

/**
 * How many nodes of the tail are finished, and where the text after them begins. A closed node is finished. Otherwise
 * the last two are not, because a line that has just begun may still join the node before it. The text is cut only
 * where the parser would read what follows the same way without what precedes.
 */
export function endOfFinished(placed: readonly PlacedNode[], source: string): { count: number; offset: number } {
  const last = placed.at(-1)
  const closing = last && closingOf(last, source)
  if (last && closing) return { count: placed.length, offset: last.end + closing.length }
  const before = placed.at(-2)
  const isBeforeLast = before && (closingOf(before, source) || isBeforeList(before, last))
  let count = isBeforeLast ? placed.length - 1 : placed.length - 2
  while (count > 0 && !isSeparated(placed[count - 1], placed[count], source)) count -= 1
  return { count: Math.max(count, 0), offset: placed[count]?.start ?? 0 }
}

function isSeparated(node: PlacedNode | undefined, next: PlacedNode | undefined, source: string): boolean {
  if (!node || !next) return false
  return (
    isBeforeList(node, next) || isClosedByLineEnd(node, source) || BLANK_LINE.test(source.slice(node.end, next.start))
  )
}

/** «Список:» right above its items: with three of them it is a list for good. */
function isBeforeList(before: PlacedNode, last: PlacedNode | undefined): boolean {
  return before.node.type === 'paragraph' && last?.node.type === 'list' && last.node.children.length > 2
}

const closedByBlankLine = new Set<Nodes['type']>(['paragraph', 'table', 'blockquote', 'definition'])

/** The line end or blank line after a node that makes it impossible to extend. */
function closingOf(placed: PlacedNode, source: string): string | null {
  const { node, end } = placed
  const after = source.slice(end)
  if (isClosedByLineEnd(placed, source)) return LINE_END.exec(after)?.[0] ?? null
  return closedByBlankLine.has(node.type) ? (BLANK_LINE.exec(after)?.[0] ?? null) : null
}

function isClosedByLineEnd({ node, start, end }: PlacedNode, source: string): boolean {
  if (node.type === 'heading' || node.type === 'thematicBreak') return true
  if (node.type === 'formulaBlock') return node.isClosed
  return node.type === 'code' && isClosedFence(source.slice(start, end))
}

function isClosedFence(source: string): boolean {
  const fence = /^[ \t]*(`{3,}|~{3,})/.exec(source)?.[1]
  if (!fence) return false
  const last = source.slice(source.lastIndexOf('\n') + 1).trim()
  return source.includes('\n') && last.length >= fence.length && last === (fence[0] ?? '').repeat(last.length)
}
