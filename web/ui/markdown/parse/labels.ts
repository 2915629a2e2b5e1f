import type { Nodes, RootContent } from 'mdast'
import type { Labels } from './types.ts'

/** The first of two definitions with the same name counts. Returns the same object when there is nothing new. */
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

/** Names of the footnotes that a block refers to, in order. */
export function footnotesUsedIn(node: Nodes): string[] {
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

const LABEL = /\[(\^?)((?:[^[\]\\]|\\.){1,999})\]/gs

/** The known labels that a text mentions. May name too many (a label inside code), never too few. */
export function labelsIn(source: string, { links, notes }: Labels): { links: string[]; notes: string[] } {
  const found = { links: new Set<string>(), notes: new Set<string>() }
  if (links.size === 0 && notes.size === 0) return { links: [], notes: [] }
  for (const [, caret, label = ''] of source.matchAll(LABEL)) {
    // Folds case as the parser does.
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
