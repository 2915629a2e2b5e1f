import type { Log } from './log.ts'

/** What the process is doing: a call or a job. */
interface Work {
  name: string
  id: string | undefined
  startedAt: number
  endedAt: number
}

const running = new Set<Work>()
const ended: Work[] = []
/** Ended work is known for so long, in case it was the cause of a pause that is noticed after it. */
const KEPT_MS = 2000
const MOST_KEPT = 50

/** Notes work until the returned function is called. */
export function noteWork(name: string, id?: string): () => void {
  const work: Work = { name, id, startedAt: performance.now(), endedAt: Number.POSITIVE_INFINITY }
  running.add(work)
  return () => {
    if (!running.delete(work)) return
    work.endedAt = performance.now()
    ended.push(work)
    if (ended.length > MOST_KEPT) ended.shift()
  }
}

const TICK_MS = 50
const MOST_PAUSE_MS = 200
const MOST_NAMED = 5

/**
 * Logs each time when nothing else could happen for longer than `mostMs`, with the work of that time. Work that began or
 * ended in the pause comes first: whoever held up the others did one of both.
 */
export function watchEventLoop(log: Pick<Log, 'warn'>, mostMs = MOST_PAUSE_MS): { close: () => void } {
  let at = performance.now()
  let cpu = process.cpuUsage()
  const timer = setInterval(() => {
    const now = performance.now()
    const pauseMs = now - at - TICK_MS
    const { user, system } = process.cpuUsage(cpu)
    const cpuMs = (user + system) / 1000
    // Without work of its own the process waited for a busy machine.
    if (pauseMs > mostMs && cpuMs > pauseMs / 4) {
      const facts = { ms: Math.round(pauseMs), cpuMs: Math.round(cpuMs), work: workSince(at, now) }
      log.warn(facts, 'event loop: nothing else could happen')
    }
    while (ended[0] && ended[0].endedAt < now - KEPT_MS) ended.shift()
    at = now
    cpu = process.cpuUsage()
  }, TICK_MS)
  timer.unref()
  return { close: () => clearInterval(timer) }
}

function workSince(since: number, now: number) {
  const changed = ({ startedAt, endedAt }: Work) => startedAt >= since || endedAt <= now
  return [...running, ...ended]
    .filter(({ endedAt }) => endedAt >= since)
    .toSorted((one, other) => Number(changed(other)) - Number(changed(one)) || other.startedAt - one.startedAt)
    .slice(0, MOST_NAMED)
    .map(({ name, id, startedAt }) => ({ name, ...(id && { requestId: id }), ms: Math.round(now - startedAt) }))
}
