import { parseAnswer } from '#contract/markdown/parse-answer.ts'
import { labelsIn } from './labels.ts'
import type { Labels, PlacedNode } from './types.ts'

/**
 * Parses a fragment of a text whose definitions may be elsewhere: the parser recognises a reference only if it sees the
 * definition, so stubs of the known ones go in front. The rule keeps the last footnote from swallowing indented text.
 */
export function parseFragment(source: string, known: Labels): PlacedNode[] {
  const { links, notes } = labelsIn(source, known)
  const lines = [...notes.map((name) => `[^${name}]: x\n\n`), ...links.map((name) => `[${name}]: x\n`)]
  const prefix = lines.length === 0 ? '' : `${lines.join('')}\n***\n\n`
  const nodes = parseAnswer(prefix + source)
  return nodes.flatMap((node) => {
    const start = (node.position?.start.offset ?? 0) - prefix.length
    const end = (node.position?.end.offset ?? 0) - prefix.length
    return start < 0 ? [] : [{ node, start: lineStart(source, start), end, shift: prefix.length }]
  })
}

/** Moves an offset back over the indentation in front of it. */
export function lineStart(source: string, offset: number): number {
  let start = offset
  while (start > 0 && (source[start - 1] === ' ' || source[start - 1] === '\t')) start -= 1
  return start
}
