import { AppError } from './errors.ts'

interface TurnLimits {
  /** How many run at once. */
  size: number
  /** How many of them may be of one person; by default all. */
  ofPerson?: number
  /** How many of one person may wait, and the 429 that more of them get. By default there is no limit. */
  queue?: { most: number; rejection: string }
}

const RETRY_SECONDS = 5

interface PersonTurns {
  waiting: (() => void)[]
  running: number
  lastTurn: number
}

export interface Turns {
  /** Waits for a turn; rejects with the reason of the signal. */
  enter: (userId: string, signal?: AbortSignal) => Promise<void>
  leave: (userId: string) => void
  /** Runs work in its turn. */
  run: <Result>(userId: string, work: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>
  /** All that waits gets its turn at once. */
  endWaiting: () => void
}

/** A semaphore that is fair to people: the next is the one with the least running, then with the oldest last turn. */
export function createTurns({ size, ofPerson = size, queue }: TurnLimits): Turns {
  const people = new Map<string, PersonTurns>()
  let free = size
  let turns = 0

  function start(person: PersonTurns): void {
    free -= 1
    person.running += 1
    person.lastTurn = ++turns
  }

  function nextPerson(): PersonTurns | undefined {
    return [...people.values()]
      .filter(({ waiting, running }) => waiting.length > 0 && running < ofPerson)
      .toSorted((a, b) => a.running - b.running || a.lastTurn - b.lastTurn)[0]
  }

  function forgetIdle(userId: string): void {
    const person = people.get(userId)
    if (person?.running === 0 && person.waiting.length === 0) people.delete(userId)
  }

  async function enter(userId: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    const person = people.get(userId) ?? { waiting: [], running: 0, lastTurn: 0 }
    if (free > 0 && person.running < ofPerson) {
      people.set(userId, person)
      return start(person)
    }
    if (queue && person.waiting.length >= queue.most)
      throw new AppError('too_many_requests', queue.rejection, { retryAfterSeconds: RETRY_SECONDS })
    people.set(userId, person)
    await new Promise<void>((done, fail) => {
      const turn = () => {
        signal?.removeEventListener('abort', giveUp)
        done()
      }
      const giveUp = () => {
        person.waiting.splice(person.waiting.indexOf(turn), 1)
        forgetIdle(userId)
        fail(signal?.reason)
      }
      person.waiting.push(turn)
      signal?.addEventListener('abort', giveUp, { once: true })
    })
  }

  function leave(userId: string): void {
    const person = people.get(userId)
    if (person) person.running -= 1
    free += 1
    const next = free > 0 ? nextPerson() : undefined
    if (next) {
      start(next)
      next.waiting.shift()?.()
    }
    forgetIdle(userId)
  }

  return {
    enter,
    leave,
    run: async (userId, work, signal) => {
      await enter(userId, signal)
      try {
        return await work()
      } finally {
        leave(userId)
      }
    },
    endWaiting: () => {
      for (const person of people.values())
        for (const turn of person.waiting.splice(0)) {
          start(person)
          turn()
        }
    },
  }
}
