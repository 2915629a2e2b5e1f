import { AppError } from '#server/lib/errors.ts'

export interface ByteBudget {
  /** Waits a moment for room for so many bytes, and takes it; what comes back gives it back. Throws 503 without room. */
  take: (userId: string, bytes: number, signal?: AbortSignal) => Promise<() => void>
  /** Throws as `take` would, and takes nothing. */
  check: (userId: string, bytes: number) => Promise<void>
}

interface Limits {
  processBytes: number
  personBytes: number
  waitMs: number
}

interface Waiter {
  fits: () => boolean
  enter: () => void
}

const MB = 1024 * 1024

/** So many bytes at a time, of one person and of everybody. Who does not fit waits and is overtaken by who does. */
export function createByteBudget({ processBytes, personBytes, waitMs }: Limits): ByteBudget {
  const waiting = new Set<Waiter>()
  const people = new Map<string, number>()
  let total = 0

  /** What is larger than a limit still goes when it goes alone. */
  const isRoom = (used: number, bytes: number, limit: number) => used === 0 || used + bytes <= limit

  function add(userId: string, bytes: number): void {
    total += bytes
    const used = (people.get(userId) ?? 0) + bytes
    if (used > 0) people.set(userId, used)
    else people.delete(userId)
  }

  function leave(userId: string, bytes: number): void {
    add(userId, -bytes)
    for (const waiter of [...waiting]) if (waiter.fits()) waiter.enter()
  }

  function room(userId: string, bytes: number, signal?: AbortSignal): Promise<void> {
    const fits = () => isRoom(total, bytes, processBytes) && isRoom(people.get(userId) ?? 0, bytes, personBytes)
    return new Promise((done, fail) => {
      const end = (finish: () => void) => {
        waiting.delete(waiter)
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        finish()
      }
      const enter = () => {
        add(userId, bytes)
        end(done)
      }
      const waiter: Waiter = { fits, enter }
      const onAbort = () => end(() => fail(signal?.reason))
      const timer = setTimeout(() => end(() => fail(noRoom())), waitMs)
      signal?.addEventListener('abort', onAbort)
      if (signal?.aborted) onAbort()
      else if (fits()) enter()
      else waiting.add(waiter)
    })
  }

  const take: ByteBudget['take'] = async (userId, bytes, signal) => {
    await room(userId, bytes, signal)
    let isTaken = true
    return () => {
      if (isTaken) leave(userId, bytes)
      isTaken = false
    }
  }
  return { take, check: async (userId, bytes) => (await take(userId, bytes))() }
}

const noRoom = () =>
  new AppError('unavailable', 'Сейчас отправляется слишком много картинок. Повторите через 10 секунд.', {
    retryAfterSeconds: 10,
  })

/** The pictures that this process is sending to models. */
export const picturesInFlight = createByteBudget({ processBytes: 128 * MB, personBytes: 40 * MB, waitMs: 5000 })
