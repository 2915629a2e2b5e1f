/** The numbers of sources in an answer: «[1]», «[2, 3]». Longer lists are no citations. */
export const CITATION = /\[(\d{1,3}(?:\s?,\s?\d{1,3}){0,30})\]/g

/** The numbers in a citation, given without its brackets. */
export const numbersIn = (citation: string) => citation.split(',').map(Number)

export function citedNumbers(text: string): Set<number> {
  return new Set([...text.matchAll(CITATION)].flatMap(([, numbers = '']) => numbersIn(numbers)))
}
