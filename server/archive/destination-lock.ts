import { readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { newId } from '#server/lib/ids.ts'
import type { Storage } from '#server/storage/storage.ts'
import { type Destination, readText } from './destination.ts'
import { isAlive } from './temporary.ts'

const RUNNING = 'running'
const BEAT_MS = 60_000
/** The age of its mark is the only sign that a process on another machine lives; clocks may differ by minutes. */
const STALE_MS = 15 * 60_000
const Writer = z.object({ host: z.string(), pid: z.number(), at: z.string() })

/** Marks of this process. Another mark with the same pid is left from an earlier start in a container. */
const ownMarks = new Set<string>()

/**
 * Runs `work` while no other process writes to the destination: then an incomplete file belongs to a killed process, and no
 * file is deleted that an unfinished archive needs.
 */
export async function withDestinationLock<T>({ storage, incoming }: Destination, work: () => Promise<T>): Promise<T> {
  const key = `${RUNNING}/${newId()}`
  const beat = () => {
    const writer = { host: hostname(), pid: process.pid, at: new Date().toISOString() }
    return storage.put(key, Buffer.from(JSON.stringify(writer)), 'application/json')
  }
  ownMarks.add(key)
  await beat()
  const timer = setInterval(() => void beat().catch(() => {}), BEAT_MS)
  try {
    await assertNoOtherWriter(storage, key)
    for (const name of await readdir(incoming)) await rm(join(incoming, name), { force: true })
    return await work()
  } finally {
    clearInterval(timer)
    ownMarks.delete(key)
    await storage.delete(key).catch(() => {})
  }
}

async function assertNoOtherWriter(storage: Storage, mine: string): Promise<void> {
  for await (const { key } of storage.list(RUNNING)) {
    if (key === mine) continue
    const writer = Writer.safeParse(JSON.parse(await readText(storage, key).catch(() => '{}')))
    if (writer.success && isRunning(key, writer.data))
      throw new Error(
        `Сюда уже пишет другая команда (процесс ${writer.data.pid} на ${writer.data.host}). Дождитесь её и повторите.`,
      )
    await storage.delete(key)
  }
}

function isRunning(key: string, { host, pid, at }: z.infer<typeof Writer>): boolean {
  if (host === hostname()) return pid === process.pid ? ownMarks.has(key) : isAlive(pid) && !isStale(at)
  return !isStale(at)
}

const isStale = (at: string) => !(Date.now() - Date.parse(at) < STALE_MS)
