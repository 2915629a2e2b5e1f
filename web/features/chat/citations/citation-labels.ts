import { citedNumbers } from '#contract/citations.ts'
import type { Citation } from '#contract/threads.ts'
import type { WebSource } from '#contract/web-search.ts'

/** «договор.pdf, стр. 4». */
export const citationName = ({ fileName, place }: Pick<Citation, 'fileName' | 'place'>) =>
  place ? `${fileName}, ${place}` : fileName

/** «site.example · 5 марта 2026 г.» */
export function sourceLine({ site, date }: Pick<WebSource, 'site' | 'date'>): string {
  if (!date) return site
  const day = new Date(`${date}T00:00:00Z`).toLocaleDateString('ru-RU', { dateStyle: 'long', timeZone: 'UTC' })
  return `${site} · ${day}`
}

export interface NamedCitation {
  name: string
  /** The first citation with this name. */
  citation: Citation
}

/** The citations that the text refers to, one for each file location. */
export function listCitations(text: string, citations: readonly Citation[]): NamedCitation[] {
  const cited = citedNumbers(text)
  const named = new Map<string, NamedCitation>()
  for (const citation of citations) {
    const name = citationName(citation)
    const key = citation.web?.url ?? name
    if (cited.has(citation.n) && !named.has(key)) named.set(key, { name, citation })
  }
  return [...named.values()]
}
