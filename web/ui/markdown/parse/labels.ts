import type { Definition, FootnoteDefinition, Nodes, RootContent } from 'mdast'
import { parseNodes } from './parse-nodes.ts'

/** What a text may refer to: definitions of links, and footnotes, by the names the parser gives them. */
export interface Labels {
  links: ReadonlyMap<string, Definition>
  notes: ReadonlyMap<string, FootnoteDefinition>
}

export const NO_LABELS: Labels = { links: new Map(), notes: new Map() }

/** The first of two definitions with one name counts. */
export function addLabels(known: Labels, nodes: readonly RootContent[]): Labels {
  const links = new Map(known.links)
  const notes = new Map(known.notes)
  for (const node of nodes) {
    walk(node, (found) => {
      if (found.type === 'definition' && !links.has(found.identifier)) links.set(found.identifier, found)
      if (found.type === 'footnoteDefinition' && !notes.has(found.identifier)) notes.set(found.identifier, found)
    })
  }
  const isSame = links.size === known.links.size && notes.size === known.notes.size
  return isSame ? known : { links, notes }
}

/** Footnotes that a block refers to, in order. */
export function notesCalledIn(node: Nodes): string[] {
  const found: string[] = []
  walk(node, (part) => {
    if (part.type === 'footnoteReference') found.push(part.identifier)
  })
  return found
}

function walk(node: Nodes, visit: (node: Nodes) => void) {
  visit(node)
  if ('children' in node) for (const child of node.children) walk(child, visit)
}

const LABEL = /\[(\^?)((?:[^[\]\\]|\\.)+)\]/gs

/** The known labels that a text mentions; more than it refers to in truth, never less. */
export function labelsIn(source: string, { links, notes }: Labels): { links: string[]; notes: string[] } {
  const found = { links: new Set<string>(), notes: new Set<string>() }
  if (links.size === 0 && notes.size === 0) return { links: [], notes: [] }
  for (const [, caret, label = ''] of source.matchAll(LABEL)) {
    const name = label
      .replace(/[\t\n\r ]+/g, ' ')
      .trim()
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
    if (caret && notes.has(name)) found.notes.add(name)
    if (links.has(caret + name)) found.links.add(caret + name)
  }
  return { links: [...found.links], notes: [...found.notes] }
}

export interface PlacedNode {
  node: RootContent
  /** From the start of its first line. */
  start: number
  end: number
  /** By how much the parser's own places, inside the node, are too large. */
  shift: number
}

/**
 * Parses a piece of a text as if the known labels were defined in it: the parser sees a reference only in what it
 * knows the definition of. The rule ends the last footnote, which would take in an indented line that follows.
 */
export function parsePiece(source: string, known: Labels): PlacedNode[] {
  const { links, notes } = labelsIn(source, known)
  const lines = [...notes.map((name) => `[^${name}]: x\n\n`), ...links.map((name) => `[${name}]: x\n`)]
  const prefix = lines.length === 0 ? '' : `${lines.join('')}\n***\n\n`
  const nodes = parseNodes(prefix + source)
  return nodes.flatMap((node) => {
    const start = (node.position?.start.offset ?? 0) - prefix.length
    const end = (node.position?.end.offset ?? 0) - prefix.length
    return start < 0 ? [] : [{ node, start: lineStart(source, start), end, shift: prefix.length }]
  })
}

/** Where the line begins, if nothing but white space stands before `offset`. */
export function lineStart(source: string, offset: number): number {
  let start = offset
  while (start > 0 && (source[start - 1] === ' ' || source[start - 1] === '\t')) start -= 1
  return start
}
