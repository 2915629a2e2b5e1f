import { AppError } from '#server/lib/errors.ts'

export interface ByteBudget {
  /** Waits briefly until `bytes` are free and takes them; returns their release. Throws 503 after the wait. */
  take: (userId: string, bytes: number, signal?: AbortSignal) => Promise<() => void>
  /** Throws as `take` would, but takes nothing. */
  check: (userId: string, bytes: number) => Promise<void>
}

interface Limits {
  processBytes: number
  userBytes: number
  waitMs: number
}

interface Waiter {
  fits: () => boolean
  enter: () => void
}

const MB = 1024 * 1024

/** Limits the bytes in flight per user and per process. A request that does not fit waits; smaller ones may pass it. */
export function createByteBudget({ processBytes, userBytes, waitMs }: Limits): ByteBudget {
  const waiting = new Set<Waiter>()
  const byUser = new Map<string, number>()
  let total = 0

  /** A request larger than the limit is admitted when it is alone. */
  const isWithin = (used: number, bytes: number, limit: number) => used === 0 || used + bytes <= limit

  function add(userId: string, bytes: number): void {
    total += bytes
    const used = (byUser.get(userId) ?? 0) + bytes
    if (used > 0) byUser.set(userId, used)
    else byUser.delete(userId)
  }

  function leave(userId: string, bytes: number): void {
    add(userId, -bytes)
    for (const waiter of [...waiting]) if (waiter.fits()) waiter.enter()
  }

  function waitForSpace(userId: string, bytes: number, signal?: AbortSignal): Promise<void> {
    const fits = () => isWithin(total, bytes, processBytes) && isWithin(byUser.get(userId) ?? 0, bytes, userBytes)
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
      const timer = setTimeout(() => end(() => fail(tooManyImages())), waitMs)
      signal?.addEventListener('abort', onAbort)
      if (signal?.aborted) onAbort()
      else if (fits()) enter()
      else waiting.add(waiter)
    })
  }

  const take: ByteBudget['take'] = async (userId, bytes, signal) => {
    await waitForSpace(userId, bytes, signal)
    let isTaken = true
    return () => {
      if (isTaken) leave(userId, bytes)
      isTaken = false
    }
  }
  return { take, check: async (userId, bytes) => (await take(userId, bytes))() }
}

const tooManyImages = () =>
  new AppError('unavailable', 'Сейчас отправляется слишком много картинок. Повторите через 10 секунд.', {
    retryAfterSeconds: 10,
  })

/** Images that this process is sending to models. */
export const imagesInFlight = createByteBudget({ processBytes: 128 * MB, userBytes: 40 * MB, waitMs: 5000 })
