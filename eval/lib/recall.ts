import type { Db } from '#server/db/client.ts'
import { chunksOf, fileIds, type Question } from './library.ts'

export type Rank = (question: string) => Promise<string[]>

export interface Recall {
  /** The share of questions whose answer is among the first `depth` chunks. */
  share: number
  /** The same with one chunk only. */
  first: number
  misses: { question: string; place: number | null }[]
}

/** How often the chunk that holds the quote is among the first. */
export async function recallOf(db: Db, questions: Question[], rank: Rank, depth = 5): Promise<Recall> {
  const [chunks, ids] = await Promise.all([chunksOf(db), fileIds(db)])
  const places: (number | null)[] = []
  for (const { question, file, quote } of questions) {
    const found = await rank(question)
    const place = found.findIndex((id) => {
      const chunk = chunks.get(id)
      return chunk?.fileId === ids.get(file) && flat(chunk?.text ?? '').includes(flat(quote))
    })
    places.push(place < 0 ? null : place + 1)
  }
  const within = (most: number) => places.filter((place) => place !== null && place <= most).length / questions.length
  const misses = questions.flatMap(({ question }, n) => {
    const place = places[n] ?? null
    return place !== null && place <= depth ? [] : [{ question, place }]
  })
  return { share: within(depth), first: within(1), misses }
}

const flat = (text: string) => text.replace(/\s+/g, ' ')
