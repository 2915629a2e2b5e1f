import type { ChildProcess } from 'node:child_process'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SERVER_FLAGS } from '../../scripts/lib/server-flags.mjs'
import { isTooLong } from './limits.ts'
import { end, isRunning, startProcess } from './processes.ts'

export interface Instance {
  name: string
  port: number
  url: string
  dataDir: string
  pid: () => number
  isRunning: () => boolean
  /** Starts it and waits until it answers; resolves to the seconds that took. Rejects when it exits instead. */
  start: (env?: Record<string, string>) => Promise<number>
  kill: () => Promise<void>
  /** Sends SIGTERM; resolves to the seconds until it exited, and its exit code. */
  stop: () => Promise<{ seconds: number; code: number | null }>
  freeze: () => void
  thaw: () => void
  /** The status of the ready check and the seconds it took; status 0 without a response within 5 s. */
  ready: () => Promise<{ status: number; seconds: number }>
}

interface Options {
  name: string
  port: number
  build: string
  env: Record<string, string>
}

const START_LIMIT_SECONDS = 40
const READY_LIMIT_MS = 5000

export function createInstance({ name, port, build, env }: Options): Instance {
  const url = `http://127.0.0.1:${port}`
  let child: ChildProcess | null = null

  async function untilAlive(process: ChildProcess): Promise<number> {
    const started = performance.now()
    const seconds = () => (performance.now() - started) / 1000
    while (!isTooLong(seconds(), START_LIMIT_SECONDS)) {
      if (!isRunning(process)) throw new Error(`${name}: сервер завершился с кодом ${process.exitCode}`)
      if ((await statusOf(`${url}/api/health`, 1000)) === 200) return seconds()
      await pause(50)
    }
    throw new Error(`${name}: сервер не ответил за ${START_LIMIT_SECONDS} с`)
  }

  return {
    name,
    port,
    url,
    dataDir: env.DATA_DIR ?? '',
    pid: () => child?.pid ?? 0,
    isRunning: () => child !== null && isRunning(child),
    start: (more = {}) => {
      const path = `${dirname(process.execPath)}:/usr/bin:/bin`
      child = startProcess({
        name,
        command: process.execPath,
        args: [...SERVER_FLAGS, `${build}/server.js`],
        env: { PATH: path, PORT: String(port), ...env, ...more },
      })
      return untilAlive(child)
    },
    kill: async () => {
      if (child) await end(child, 'SIGKILL')
    },
    stop: async () => {
      const started = performance.now()
      if (child) await end(child, 'SIGTERM')
      return { seconds: (performance.now() - started) / 1000, code: child?.exitCode ?? null }
    },
    freeze: () => child?.kill('SIGSTOP'),
    thaw: () => child?.kill('SIGCONT'),
    ready: async () => {
      const started = performance.now()
      const status = await statusOf(`${url}/api/health/ready`, READY_LIMIT_MS)
      return { status, seconds: (performance.now() - started) / 1000 }
    },
  }
}

async function statusOf(url: string, limitMs: number): Promise<number> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(limitMs) })
    await answer.body?.cancel()
    return answer.status
  } catch {
    return 0
  }
}
