import type { Db } from '#server/db/client.ts'
import { markdown } from './answer-spec.ts'
import type { BenchThread } from './page-threads.ts'
import { addPeople } from './people.ts'
import { addThread } from './thread-costs.ts'

/** A user with a short thread of 10 exchanges and two of 2,000 messages. */
export async function addBenchThreads(db: Db, origin: string) {
  const [person] = await addPeople(db, 1, origin)
  if (!person) throw new Error('No user to measure')
  const addOne = async (words: string, count: number, characters: number): Promise<BenchThread> => {
    const content = { user: `Расскажите ещё раз: ${words}`, assistant: `${words}\n\n${markdown(characters)}` }
    return { words, threadId: await addThread(db, person.id, count, content) }
  }
  return {
    person,
    short: await addOne('десять вопросов', 20, 2000),
    large: await addOne('первая тысяча', 2000, 700),
    other: await addOne('вторая тысяча', 2000, 700),
  }
}
