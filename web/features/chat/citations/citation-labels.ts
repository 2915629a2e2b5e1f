import type { Citation } from '#contract/threads.ts'
import { citedParts } from '#web/ui/markdown/citations.ts'

/** «договор.pdf, стр. 4». */
export const citationName = ({ fileName, place }: Pick<Citation, 'fileName' | 'place'>) =>
  place ? `${fileName}, ${place}` : fileName

export interface NamedCitation {
  name: string
  /** The first citation with this name. */
  citation: Citation
}

/** The citations that the text refers to, one for each file location. */
export function listCitations(text: string, citations: readonly Citation[]): NamedCitation[] {
  const cited = new Set(citedParts(text).flatMap((part) => ('numbers' in part ? part.numbers : [])))
  const named = new Map<string, NamedCitation>()
  for (const citation of citations) {
    const name = citationName(citation)
    if (cited.has(citation.n) && !named.has(name)) named.set(name, { name, citation })
  }
  return [...named.values()]
}
