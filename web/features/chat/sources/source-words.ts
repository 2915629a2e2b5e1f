import type { Source } from '#contract/threads.ts'
import { citedPieces } from '#web/ui/markdown/citations.ts'

/** «договор.pdf, стр. 4». */
export const sourceName = ({ fileName, place }: Pick<Source, 'fileName' | 'place'>) =>
  place ? `${fileName}, ${place}` : fileName

export interface NamedSource {
  name: string
  /** The first of the passages that bear this name. */
  source: Source
}

/** What an answer names, each place once; an answer that names nothing has no sources to show. */
export function citedSources(text: string, sources: readonly Source[]): NamedSource[] {
  const cited = new Set(citedPieces(text).flatMap((piece) => ('numbers' in piece ? piece.numbers : [])))
  const named = new Map<string, NamedSource>()
  for (const source of sources) {
    const name = sourceName(source)
    if (cited.has(source.n) && !named.has(name)) named.set(name, { name, source })
  }
  return [...named.values()]
}
