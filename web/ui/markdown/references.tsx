import type { Definition, FootnoteDefinition } from 'mdast'
import { createContext, type ReactNode, useContext } from 'react'
import { AnswerImage } from './answer-image.tsx'
import { AnswerLink } from './answer-link.tsx'
import { footnotesUsedIn } from './parse/labels.ts'
import { type Labels, NO_LABELS, type SplitText } from './parse/types.ts'

/** What links and footnotes refer to. Only they read this context, so a new definition renders nothing else again. */
export interface References {
  labels: Labels
  /** The number of each footnote, in the order of the calls in the text. */
  numbers: ReadonlyMap<string, number>
  /** Footnotes in the order in which they are listed under the text. */
  notes: readonly FootnoteDefinition[]
  /** Makes the ids of footnotes unique among the answers of a page. */
  prefix: string
}

const NO_NUMBERS: ReadonlyMap<string, number> = new Map()

const ReferencesContext = createContext<References>({ labels: NO_LABELS, numbers: NO_NUMBERS, notes: [], prefix: '' })
export const ReferencesProvider = ReferencesContext.Provider
export const useReferences = () => useContext(ReferencesContext)

/** A footnote that is never called is listed after the others, so that nothing the model wrote gets lost. */
export function referencesOf({ labels, blocks, text }: SplitText, prefix: string): References {
  if (labels.notes.size === 0) return { labels, numbers: NO_NUMBERS, notes: [], prefix }
  const numbers = new Map<string, number>()
  const number = (name: string) => {
    if (labels.notes.has(name) && !numbers.has(name)) numbers.set(name, numbers.size + 1)
  }
  for (const { node, start, end } of blocks) {
    if (node.type !== 'footnoteDefinition' && text.slice(start, end).includes('[^'))
      footnotesUsedIn(node).forEach(number)
  }
  for (const note of labels.notes.values()) footnotesUsedIn(note).forEach(number)
  for (const name of labels.notes.keys()) number(name)
  const notes = [...numbers.keys()].flatMap((name) => labels.notes.get(name) ?? [])
  return { labels, numbers, notes, prefix }
}

// A definition may come later than its reference: until then the reference is shown as its text.

export function ReferenceLink({ name, children }: { name: string; children: ReactNode }) {
  const definition = useReferences().labels.links.get(name)
  if (!definition || isLong(definition)) return children
  return (
    <AnswerLink url={definition.url} title={definition.title}>
      {children}
    </AnswerLink>
  )
}

/** It is written out at each of its references, of which a text may have thousands. */
const isLong = ({ url, title }: Definition) => url.length + (title?.length ?? 0) > MAX_DEFINITION
const MAX_DEFINITION = 1000

export function ReferenceImage({ name, alt }: { name: string; alt: string }) {
  const definition = useReferences().labels.links.get(name)
  return definition && !isLong(definition) ? (
    <AnswerImage url={definition.url} alt={alt} title={definition.title} />
  ) : (
    alt
  )
}

export function FootnoteReference({ name }: { name: string }) {
  const { numbers, prefix } = useReferences()
  const number = numbers.get(name)
  if (number === undefined) return null
  return (
    <sup>
      <a href={`#${prefix}${number}`} aria-label={`Примечание ${number}`}>
        {number}
      </a>
    </sup>
  )
}
