import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const children = new Set<ChildProcess>()
const folders = new Set<string>()
let isEnding = false

const LAST_WAIT_MS = 5000

/** Registers a process that must not outlive the drill. One that is started during the end is killed at once. */
export function trackChild(child: ChildProcess): ChildProcess {
  children.add(child)
  child.once('exit', () => children.delete(child))
  if (isEnding) child.kill('SIGKILL')
  return child
}

/** A temporary folder, removed at the end of the drill. */
export function makeTrackedFolder(prefix: string): string {
  const folder = mkdtempSync(prefix)
  folders.add(folder)
  return folder
}

/** Ends every process by its own id, then removes the folders; it does not wait for unfinished scenarios. */
async function endAll(): Promise<void> {
  isEnding = true
  const gone = [...children].map((child) => new Promise<void>((done) => child.once('exit', () => done())))
  for (const child of children) child.kill('SIGKILL')
  await Promise.race([Promise.all(gone), pause(LAST_WAIT_MS)])
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

/** Runs the drill; ends its processes when it is done, fails, is interrupted or takes too long. */
export async function runToEnd(limitSeconds: number, drill: () => Promise<boolean>): Promise<void> {
  const leave = (code: number, why?: string) => {
    if (isEnding) return
    if (why) console.error(why)
    void endAll().then(() => process.exit(code))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => leave(130))
  process.on('uncaughtException', (error) => leave(1, error.stack))
  setTimeout(() => leave(1, `Учение не уложилось в ${limitSeconds} с`), limitSeconds * 1000).unref()
  try {
    leave((await drill()) ? 0 : 1)
  } catch (error) {
    leave(1, error instanceof Error ? error.stack : String(error))
  }
}
