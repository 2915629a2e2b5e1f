import { citedParts } from '#web/ui/markdown/citations.ts'

/** The sentences of an answer that cite the source `n`. */
export function claimOf(answer: string, n: number): string {
  return sentencesOf(answer)
    .filter((sentence) => citedParts(sentence).some((part) => 'numbers' in part && part.numbers.includes(n)))
    .join(' ')
}

export interface QuotedText {
  before: string
  /** The sentence that fits the claim; empty when no sentence does. */
  quoted: string
  after: string
}

/** Finds the sentence of a source that has the most words of the claim. */
export function findQuoted(text: string, claim: string): QuotedText {
  const wanted = new Set(stemsOf(claim))
  let best = { sentence: '', at: 0, score: 0 }
  let at = 0
  for (const sentence of sentencesOf(text)) {
    const stems = new Set(stemsOf(sentence))
    const shared = [...stems].filter((stem) => wanted.has(stem)).length
    // Of two sentences with the same words the shorter one says it more exactly.
    const score = shared < MIN_SHARED ? 0 : shared / Math.sqrt(stems.size)
    if (score > best.score) best = { sentence, at, score }
    at += sentence.length
  }
  const quoted = best.sentence.trim()
  const start = best.at + best.sentence.indexOf(quoted)
  return { before: text.slice(0, start), quoted, after: text.slice(start + quoted.length) }
}

const MIN_SHARED = 2

/** After these a full stop ends no sentence: «п. 4», «ул. Ленина», «А. С. Пушкин». */
const SHORTENED =
  /(?:^|[^\p{L}\d])(?:\p{L}|пп|ст|абз|подп|разд|гл|руб|коп|тыс|млн|млрд|гг|им|ул|пр|стр|рис|табл|см|др|напр)\.[ \t]*$/iu
const CONTINUES = /^["«(]?\p{Ll}/u

/** With the spaces behind them, so that they add up to the text. A citation belongs to the sentence before it. */
function sentencesOf(text: string): string[] {
  const pieces = text.match(/[^\n]*?(?:[.!?…](?:\s*\[[\d, ]+\][.!?…]?)*(?=\s|$)[ \t]*|\n+|$)/g)?.filter(Boolean) ?? []
  const sentences: string[] = []
  for (const piece of pieces) {
    const before = sentences.at(-1)
    const goesOn = before && !before.endsWith('\n') && (SHORTENED.test(before) || CONTINUES.test(piece))
    if (goesOn) sentences[sentences.length - 1] = before + piece
    else sentences.push(piece)
  }
  return sentences
}

/** The end of a text, or its beginning, as whole sentences of about so many characters; the rest is folded. */
export function nearby(text: string, end: 'last' | 'first', size: number): string {
  const sentences = sentencesOf(text)
  if (end === 'last') sentences.reverse()
  let taken = 0
  let length = 0
  for (const sentence of sentences) {
    if (length > 0 && length + sentence.length > size) break
    length += sentence.length
    taken += 1
    if (length >= size) break
  }
  const near = sentences.slice(0, taken)
  return (end === 'last' ? near.reverse() : near).join('')
}

const STEM = 5

/** The beginnings of words, so that forms of one Russian word are the same; numbers as they are. */
const stemsOf = (text: string) =>
  (text.toLowerCase().match(/\d+|\p{L}{4,}/gu) ?? []).map((word) => (/\d/.test(word) ? word : word.slice(0, STEM)))
