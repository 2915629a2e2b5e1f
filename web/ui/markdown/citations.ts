import { createContext, useContext } from 'react'
import { CITATION, numbersIn } from '#contract/citations.ts'

/** What the numbers «[1]» in an answer refer to. Without this context they are shown as text. */
export interface Citations {
  /** The title of a source; null when the number has none. */
  name: (n: number) => string | null
  open: (n: number) => void
}

const CitationsContext = createContext<Citations | null>(null)
export const CitationsProvider = CitationsContext.Provider
export const useCitations = () => useContext(CitationsContext)

/** A cheap test for every text node: most have no bracket at all. */
export const mayCite = (text: string) => text.includes('[') && text.search(CITATION) >= 0

export type CitedPart = { text: string } | { numbers: number[]; text: string }

export function citedParts(text: string): CitedPart[] {
  const parts: CitedPart[] = []
  let from = 0
  for (const found of text.matchAll(CITATION)) {
    if (found.index > from) parts.push({ text: text.slice(from, found.index) })
    parts.push({ text: found[0], numbers: numbersIn(found[1] ?? '') })
    from = found.index + found[0].length
  }
  if (from < text.length) parts.push({ text: text.slice(from) })
  return parts
}
