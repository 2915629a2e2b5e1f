import { readFileSync } from 'node:fs'
import { readDocument } from '#server/files/read-document.ts'
import { makePapers, type Paper } from './files/papers.ts'

/**
 * Measures how many words of files of known content are read, kind by kind. The files are made here from the documents
 * of `eval/retrieval`, so the reference is what was put in. Fails when a kind is below its floor in `eval/files/floors.json`.
 * Run: npm run eval:files
 */

const floors = JSON.parse(readFileSync(new URL('./files/floors.json', import.meta.url), 'utf8')) as Record<
  string,
  number
>
const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** The share of the reference's words that are in the text, each as often as it is in the reference. */
function recall(reference: string, text: string): number {
  const left = new Map<string, number>()
  for (const word of wordsOf(text)) left.set(word, (left.get(word) ?? 0) + 1)
  const words = wordsOf(reference)
  const found = words.filter((word) => {
    const count = left.get(word) ?? 0
    left.set(word, count - 1)
    return count > 0
  })
  return words.length === 0 ? 1 : found.length / words.length
}

async function measure({ mime, bytes, reference }: Paper): Promise<number> {
  const read = await readDocument(mime, new Uint8Array(bytes)).catch(() => null)
  return recall(reference, read?.content ?? '')
}

const byKind = new Map<string, number[]>()
for (const paper of await makePapers()) {
  const values = byKind.get(paper.kind) ?? []
  byKind.set(paper.kind, [...values, await measure(paper)])
}

let isBelow = false
console.log('kind                    files  mean   worst  floor')
for (const [kind, values] of byKind) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const floor = floors[kind]
  const isGood = floor !== undefined && mean >= floor
  isBelow ||= !isGood
  const figures = [mean, Math.min(...values), floor ?? Number.NaN].map((value) => value.toFixed(3).padStart(6))
  console.log(
    `${kind.padEnd(24)}${String(values.length).padStart(4)} ${figures.join(' ')}${isGood ? '' : '  below the floor'}`,
  )
}
process.exit(isBelow ? 1 : 0)
