/** Four words of five are the same. */
export const SAME_SHARE = 0.8

export const wordsIn = (text: string) =>
  new Set(
    text
      .toLowerCase()
      .replaceAll('ё', 'е')
      .match(/[\p{L}\p{N}]+/gu) ?? [],
  )

/** The share of words that two texts have in common. */
export function shareOf(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let common = 0
  for (const word of left) if (right.has(word)) common += 1
  return common === 0 ? 0 : common / (left.size + right.size - common)
}

/**
 * Finds an added text with almost the same words. Such texts share one of their rarest words, so only those that do are
 * compared: thousands of items would take seconds otherwise.
 */
export function createAlike(all: readonly string[]) {
  const counts = new Map<string, number>()
  for (const text of all) for (const word of wordsIn(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const added: ReadonlySet<string>[] = []
  const byWord = new Map<string, number[]>()
  const rarest = (words: ReadonlySet<string>) =>
    [...words]
      .sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0) || (a < b ? -1 : 1))
      .slice(0, words.size - Math.ceil(SAME_SHARE * words.size) + 1)

  return {
    /** The number of the added text; null when there is none that the caller accepts. */
    find: (text: string, accept: (index: number) => boolean = () => true): number | null => {
      const words = wordsIn(text)
      const near = rarest(words).flatMap((word) => byWord.get(word) ?? [])
      const isSame = (index: number) => shareOf(words, added[index] ?? new Set()) >= SAME_SHARE && accept(index)
      return [...new Set(near)].sort((a, b) => a - b).find(isSame) ?? null
    },
    add: (text: string): void => {
      const words = wordsIn(text)
      added.push(words)
      for (const word of rarest(words)) byWord.set(word, [...(byWord.get(word) ?? []), added.length - 1])
    },
  }
}
