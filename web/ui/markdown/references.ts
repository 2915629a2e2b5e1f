import type { FootnoteDefinition } from 'mdast'
import { createContext, useContext } from 'react'
import { type Labels, NO_LABELS, notesCalledIn } from './parse/labels.ts'
import type { Split } from './parse/split.ts'

/** What links and footnotes in a block refer to. Only they listen to it, so a new definition redraws nothing else. */
export interface References {
  labels: Labels
  /** The number of each footnote, in the order in which the text calls them. */
  numbers: ReadonlyMap<string, number>
  /** Footnotes as they stand under the text. */
  notes: readonly FootnoteDefinition[]
  /** Makes the names of places unique among the answers of a page. */
  prefix: string
}

const NO_NUMBERS: ReadonlyMap<string, number> = new Map()

const ReferencesContext = createContext<References>({ labels: NO_LABELS, numbers: NO_NUMBERS, notes: [], prefix: '' })
export const ReferencesProvider = ReferencesContext.Provider
export const useReferences = () => useContext(ReferencesContext)

/** A footnote that nothing refers to is shown all the same, after the others: nothing written gets lost. */
export function referencesOf({ labels, blocks, text }: Split, prefix: string): References {
  if (labels.notes.size === 0) return { labels, numbers: NO_NUMBERS, notes: [], prefix }
  const numbers = new Map<string, number>()
  const number = (name: string) => {
    if (labels.notes.has(name) && !numbers.has(name)) numbers.set(name, numbers.size + 1)
  }
  for (const { node, start, end } of blocks) {
    if (node.type !== 'footnoteDefinition' && text.slice(start, end).includes('[^')) notesCalledIn(node).forEach(number)
  }
  for (const note of labels.notes.values()) notesCalledIn(note).forEach(number)
  for (const name of labels.notes.keys()) number(name)
  const notes = [...numbers.keys()].flatMap((name) => labels.notes.get(name) ?? [])
  return { labels, numbers, notes, prefix }
}
