import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { atEnd } from './ending.ts'

export interface Worker {
  pid: number
  port: number
  /** One question at a time. */
  ask: <Answer>(question: object) => Promise<Answer>
}

const names = ['mock-model', 'floor', 'load'] as const
let compiled: string | null = null

/** Starts one of our own processes as plain Node: a loader of TypeScript in it would be measured with it. */
export async function startWorker(name: (typeof names)[number], args: string[] = []): Promise<Worker> {
  compiled ??= compile()
  const child = fork(join(compiled, `${name}.mjs`), args, { execArgv: [] })
  atEnd(() => endProcess(child, 'SIGKILL'))
  const { port } = await reply<{ port: number }>(child)
  return {
    pid: child.pid ?? 0,
    port,
    ask: (question) => {
      child.send(question)
      return reply(child)
    },
  }
}

function compile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'symbol-bench-workers-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  buildSync({
    entryPoints: names.map((name) => `bench/lib/${name}.ts`),
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outExtension: { '.js': '.mjs' },
    // Whatever becomes of the bench, its processes do not outlive it.
    banner: { js: "process.once('disconnect', () => process.exit())" },
  })
  return folder
}

function reply<Answer>(child: ChildProcess): Promise<Answer> {
  return new Promise((done, fail) => {
    const gone = (code: number | null) => fail(new Error(`A process of the bench ended with ${code}`))
    child.once('exit', gone)
    child.once('message', (message) => {
      child.off('exit', gone)
      done(message as Answer)
    })
  })
}

/** Ends a child by its own id and waits until it is gone. */
export function endProcess(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  return new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) return done()
    child.once('exit', () => done())
    child.kill(signal)
  })
}
