import type { Db } from '#server/db/client.ts'
import type { Place } from './page-threads.ts'
import { addPeople } from './people.ts'
import { markdown } from './shapes.ts'
import { addThread } from './thread-costs.ts'

/** Somebody with a short thread of 10 exchanges and two of 2,000 messages. */
export async function addPlaces(db: Db, origin: string) {
  const [person] = await addPeople(db, 1, origin)
  if (!person) throw new Error('Nobody to measure')
  const place = async (words: string, count: number, emails: number): Promise<Place> => {
    const content = { user: `Расскажите ещё раз: ${words}`, assistant: `${words}\n\n${markdown(emails)}` }
    return { words, threadId: await addThread(db, person.id, count, content) }
  }
  return {
    person,
    short: await place('десять вопросов', 20, 2000),
    large: await place('первая тысяча', 2000, 700),
    other: await place('вторая тысяча', 2000, 700),
  }
}
