import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { trackChild } from './ending.ts'

/** The logs of all started processes stay here after the run, to explain a failed scenario. */
export const LOGS = '.cache/drill'

interface Start {
  name: string
  command: string
  args: string[]
  env?: Record<string, string>
  cwd?: string
  owner?: { uid?: number; gid?: number }
}

/** Starts a process with its output in a log file; it does not outlive the drill. */
export function startProcess({ name, command, args, env, cwd, owner }: Start): ChildProcess {
  mkdirSync(LOGS, { recursive: true })
  const log = openSync(join(LOGS, `${name}.log`), 'a')
  const child = spawn(command, args, {
    ...(env && { env }),
    ...(cwd && { cwd }),
    ...owner,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  child.once('error', () => undefined)
  return trackChild(child)
}

export const isRunning = ({ pid, exitCode, signalCode }: ChildProcess) =>
  pid !== undefined && exitCode === null && signalCode === null

/** Ends a child by its own id and waits until it is gone. */
export function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((done) => {
    if (!isRunning(child)) return done()
    child.once('exit', () => done())
    // A frozen process handles signals other than SIGKILL only after SIGCONT.
    child.kill(signal)
    if (signal !== 'SIGKILL') child.kill('SIGCONT')
  })
}

export function familyOf(pid: number): number[] {
  const list = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const pairs = list.split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  return [pid, ...pairs.flatMap(([child, parent]) => (parent === pid && child ? [child] : []))]
}

export function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // The process has ended meanwhile.
    }
  }
}

export async function untilPortOpens(port: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (await opens(port)) return
    if (!isRunning(child)) break
    await pause(50)
  }
  throw new Error(`Никто не отвечает на порту ${port}`)
}

function opens(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      done(true)
    })
    socket.once('error', () => done(false))
  })
}
