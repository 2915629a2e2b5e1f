import { spawn } from 'node:child_process'

/** What we ask of ffmpeg, where the machine has it: any recording as a plain WAV, and how long one is. */
export interface Ffmpeg {
  /** Mono, 16 000 samples a second: all that a model listens to. */
  toWav: (from: string, to: string, signal: AbortSignal) => Promise<void>
  seconds: (path: string) => Promise<number | null>
  /** How long one is when it is played, whatever its headers say. */
  decodedSeconds: (path: string, signal: AbortSignal) => Promise<number | null>
}

/** Runs a program and gives what it printed; throws when it fails. */
export type Run = (program: string, args: string[], signal?: AbortSignal) => Promise<string>

const PROBE_MS = 60_000

/** A recording may name other files or addresses to be read along; only itself is. */
const ALONE = ['-protocol_whitelist', 'file']

/** Null on a machine without it. */
export async function findFfmpeg(run: Run = runProgram): Promise<Ffmpeg | null> {
  try {
    await run('ffmpeg', ['-version'], AbortSignal.timeout(PROBE_MS))
  } catch {
    return null
  }
  return {
    toWav: async (from, to, signal) => {
      const sound = ['-vn', '-ac', '1', '-ar', '16000', '-c:a', 'pcm_s16le', '-f', 'wav']
      await run(
        'ffmpeg',
        ['-nostdin', '-v', 'error', '-y', ...ALONE, '-i', `file:${from}`, ...sound, `file:${to}`],
        signal,
      )
    },
    seconds: async (path) => {
      const asked = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', ...ALONE, `file:${path}`]
      const told = await run('ffprobe', asked, AbortSignal.timeout(PROBE_MS)).catch(() => '')
      const seconds = Number(told.trim())
      return told.trim() !== '' && Number.isFinite(seconds) && seconds > 0 ? seconds : null
    },
    decodedSeconds: async (path, signal) => {
      const quiet = ['-nostdin', '-v', 'error', '-nostats', '-stats_period', '60', '-progress', 'pipe:1']
      const played = ['-vn', '-f', 'null', '-']
      const told = await run('ffmpeg', [...quiet, ...ALONE, '-i', `file:${path}`, ...played], signal).catch(() => '')
      signal.throwIfAborted()
      const last = [...told.matchAll(/^out_time_us=(\d+)$/gm)].at(-1)?.[1]
      return last && Number(last) > 0 ? Number(last) / 1e6 : null
    },
  }
}

const MAX_OUTPUT = 64 * 1024

function runProgram(program: string, args: string[], signal?: AbortSignal): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...(signal ? { signal } : {}) })
    let [said, complained] = ['', '']
    child.stdout.on('data', (data: Buffer) => {
      if (said.length < MAX_OUTPUT) said += data.toString()
    })
    child.stderr.on('data', (data: Buffer) => {
      if (complained.length < MAX_OUTPUT) complained += data.toString()
    })
    child.once('error', fail)
    child.once('close', (code) =>
      code === 0 ? done(said) : fail(new Error(`${program} ended with ${code}: ${complained.slice(0, 1000)}`)),
    )
  })
}
