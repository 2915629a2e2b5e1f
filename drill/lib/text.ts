/** The text of the model: numbered words that name their answer and run, so that gaps and repeats are found. */

const WORDS_A_CHUNK = 2

export interface AnswerSpec {
  nonce: string
  words: number
  gapMs: number
  /** How the provider behaves; `speak` sends everything and ends. */
  mode: string
}

export const writeSpec = ({ nonce, words, gapMs, mode }: AnswerSpec) =>
  `Скажи n=${nonce} words=${words} gap=${gapMs} mode=${mode} и ничего больше.`

export function readSpec(text: string): AnswerSpec | null {
  const found = /n=(\w+) words=(\d+) gap=(\d+) mode=([\w-]+)/.exec(text)
  if (!found) return null
  const [, nonce = '', words, gap, mode = ''] = found
  return { nonce, words: Number(words), gapMs: Number(gap), mode }
}

export function chunksOf({ nonce, words }: AnswerSpec, run: number): string[] {
  const all = Array.from({ length: words }, (_, i) => `${nonce}.${run}:${i} `)
  return Array.from({ length: Math.ceil(words / WORDS_A_CHUNK) }, (_, i) =>
    all.slice(i * WORDS_A_CHUNK, (i + 1) * WORDS_A_CHUNK).join(''),
  )
}

/** Symbols that `text` lacks, and symbols that are repeated or foreign, compared with the beginning of `whole`. */
export function differences(text: string, whole: string): { lost: number; duplicated: number } {
  if (whole.startsWith(text)) return { lost: 0, duplicated: 0 }
  const expected = whole.split(/(?<= )/)
  const left = new Map<string, number>()
  let furthest = -1
  let duplicated = 0
  for (const word of text.split(/(?<= )/)) {
    const at = expected.indexOf(word)
    if (at < 0 || left.has(word)) duplicated += word.length
    else left.set(word, at)
    furthest = Math.max(furthest, at)
  }
  const lost = expected.slice(0, furthest + 1).reduce((sum, word) => sum + (left.has(word) ? 0 : word.length), 0)
  // The same words in another order are wrong too.
  return lost + duplicated === 0 ? { lost: 1, duplicated: 0 } : { lost, duplicated }
}
