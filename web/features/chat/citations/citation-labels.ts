import type { Citation } from '#contract/threads.ts'
import { citedParts } from '#web/ui/markdown/citations.ts'

/** «договор.pdf, стр. 4». */
export const citationName = ({ fileName, place }: Pick<Citation, 'fileName' | 'place'>) =>
  place ? `${fileName}, ${place}` : fileName

export interface NamedCitation {
  name: string
  /** The first of the passages that bear this name. */
  source: Citation
}

/** What an answer names, each place once; an answer that names nothing has no sources to show. */
export function citedIn(text: string, citations: readonly Citation[]): NamedCitation[] {
  const cited = new Set(citedParts(text).flatMap((piece) => ('numbers' in piece ? piece.numbers : [])))
  const named = new Map<string, NamedCitation>()
  for (const source of citations) {
    const name = citationName(source)
    if (cited.has(source.n) && !named.has(name)) named.set(name, { name, source })
  }
  return [...named.values()]
}
