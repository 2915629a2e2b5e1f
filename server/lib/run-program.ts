import { spawn } from 'node:child_process'

/** Runs a program of the system to its end and returns what it writes. */
export type Run = (program: string, args: string[], signal?: AbortSignal) => Promise<string>

const MAX_OUTPUT = 64 * 1024

/** Programs get the path to other programs and nothing else: the environment of the server has its secrets. */
export const createRun =
  (path: string | undefined): Run =>
  (program, args, signal) =>
    new Promise((done, fail) => {
      const env = path === undefined ? {} : { PATH: path }
      const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'], ...(signal ? { signal } : {}) })
      let [stdout, stderr] = ['', '']
      child.stdout.on('data', (data: Buffer) => {
        if (stdout.length < MAX_OUTPUT) stdout += data.toString()
      })
      child.stderr.on('data', (data: Buffer) => {
        if (stderr.length < MAX_OUTPUT) stderr += data.toString()
      })
      child.once('error', fail)
      child.once('close', (code) =>
        code === 0 ? done(stdout) : fail(new Error(`${program} ended with ${code}: ${stderr.slice(0, 1000)}`)),
      )
    })
