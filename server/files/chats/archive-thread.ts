import { once } from 'node:events'
import { startWorker, type WorkerAnswer } from '../pool.ts'
import { BROKEN, TOO_HEAVY, TOO_SLOW, Unreadable } from '../rejections.ts'
import { workClock } from '../work-clock.ts'
import type { ArchiveAnswer, ArchivedItem, ArchiveRequest } from './archive-worker.ts'
import type { EntryRef } from './chat.ts'
import type { ArchivePlace } from './read-archive.ts'

/** An archive that a thread of its own reads, as fast as it is asked. All of it throws `Unreadable` with a reason. */
export interface ReadingArchive {
  bytes: number
  unopened: string[]
  /** No items at the end. */
  next: () => Promise<{ items: ArchivedItem[]; bytes: number }>
  /** Writes an entry into a new file at `path`; false when it is too large or broken. */
  extract: (entry: EntryRef, path: string, maxBytes: number) => Promise<boolean>
  close: () => Promise<void>
}

/** One chat is in memory at a time, of 16 MB at most. */
const HEAP_MB = 224
/** Small: a long reading makes much that is soon of no use, and it shall not pile up. */
const YOUNG_MB = 4
/** Processor time for one request. */
const WORK_MS = 60_000
const CHECK_MS = 250

export async function readArchiveInThread(
  paths: string[],
  { from, isBrief }: { from: ArchivePlace; isBrief: boolean },
): Promise<ReadingArchive> {
  const worker = startWorker(HEAP_MB, YOUNG_MB)
  const gone = new AbortController()
  let reason = BROKEN
  worker.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') reason = TOO_HEAVY
  })
  worker.once('exit', () => gone.abort())

  async function ask(request: ArchiveRequest): Promise<ArchiveAnswer> {
    const isOver = workClock(thread, WORK_MS)
    const timer = setInterval(() => {
      if (!isOver()) return
      reason = TOO_SLOW
      void worker.terminate()
    }, CHECK_MS)
    try {
      const answered = once(worker, 'message', { signal: gone.signal })
      worker.postMessage(request)
      const [answer] = (await answered) as [ArchiveAnswer]
      if (answer.type === 'failed') throw new Unreadable(answer.reason)
      return answer
    } catch (error) {
      throw gone.signal.aborted ? new Unreadable(reason) : error
    } finally {
      clearInterval(timer)
    }
  }

  const wrongAnswer = () => new Error('The thread for reading an archive gave another answer')
  const close = async () => {
    await worker.terminate()
  }
  const [ready] = (await once(worker, 'message', { signal: gone.signal })) as [WorkerAnswer]
  const thread = ready.type === 'ready' ? ready.thread : null
  try {
    const opened = await ask({ archive: 'open', paths, from, isBrief })
    if (opened.type !== 'opened') throw wrongAnswer()
    return {
      bytes: opened.bytes,
      unopened: opened.unopened,
      next: async () => {
        const answer = await ask({ archive: 'next' })
        if (answer.type !== 'items') throw wrongAnswer()
        return answer
      },
      extract: async (entry, path, maxBytes) => {
        const answer = await ask({ archive: 'extract', entry, path, maxBytes })
        return answer.type === 'extracted' && answer.isWhole
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
