import { createContext, useContext } from 'react'

/** What the numbers «[1]» in an answer open. Without it they are just signs. */
export interface Citations {
  /** What stands behind a number, in words; null when nothing does. */
  name: (n: number) => string | null
  open: (n: number) => void
}

const CitationsContext = createContext<Citations | null>(null)
export const CitationsProvider = CitationsContext.Provider
export const useCitations = () => useContext(CitationsContext)

/** «[1]», «[2, 3]». */
const CITATION = /\[(\d{1,3}(?:\s?,\s?\d{1,3})*)\]/g

/** Quick to ask of every text: most have no bracket at all. */
export const mayCite = (text: string) => text.includes('[') && text.search(CITATION) >= 0

export type CitedPart = { text: string } | { numbers: number[]; text: string }

/** A text in pieces: what is said, and the numbers of what it is said by. */
export function citedParts(text: string): CitedPart[] {
  const pieces: CitedPart[] = []
  let from = 0
  for (const found of text.matchAll(CITATION)) {
    if (found.index > from) pieces.push({ text: text.slice(from, found.index) })
    pieces.push({ text: found[0], numbers: (found[1] ?? '').split(',').map(Number) })
    from = found.index + found[0].length
  }
  if (from < text.length) pieces.push({ text: text.slice(from) })
  return pieces
}
