import type { Run } from '#server/lib/run-program.ts'

/** The uses of ffmpeg, which is optional: converting a recording to WAV, and measuring it. */
export interface Ffmpeg {
  /** Mono at 16 kHz, which is what speech models use. */
  toWav: (from: string, to: string, signal: AbortSignal) => Promise<void>
  /** Mono, as small as speech allows: four hours have about 60 MB. */
  toOpus: (from: string, to: string, signal: AbortSignal) => Promise<void>
  seconds: (path: string) => Promise<number | null>
  /** The duration by decoding the file, whatever its headers say. */
  decodedSeconds: (path: string, signal: AbortSignal) => Promise<number | null>
}

const PROBE_MS = 60_000

/** A file may reference other files or URLs; only the local file itself may be read. */
const LOCAL_FILE_ONLY = ['-protocol_whitelist', 'file']

export async function findFfmpeg(run: Run): Promise<Ffmpeg | null> {
  try {
    await run('ffmpeg', ['-version'], AbortSignal.timeout(PROBE_MS))
  } catch {
    return null
  }
  const convert = async (from: string, to: string, sound: string[], signal: AbortSignal) => {
    const quiet = ['-nostdin', '-v', 'error', '-y', ...LOCAL_FILE_ONLY]
    await run('ffmpeg', [...quiet, '-i', `file:${from}`, '-vn', '-ac', '1', ...sound, `file:${to}`], signal)
  }
  return {
    toWav: (from, to, signal) => convert(from, to, ['-ar', '16000', '-c:a', 'pcm_s16le', '-f', 'wav'], signal),
    toOpus: (from, to, signal) => convert(from, to, ['-c:a', 'libopus', '-b:a', '32k', '-f', 'ogg'], signal),
    seconds: async (path) => {
      const args = [
        '-v',
        'error',
        '-show_entries',
        'format=duration',
        '-of',
        'csv=p=0',
        ...LOCAL_FILE_ONLY,
        `file:${path}`,
      ]
      const output = await run('ffprobe', args, AbortSignal.timeout(PROBE_MS)).catch(() => '')
      const seconds = Number(output.trim())
      return output.trim() !== '' && Number.isFinite(seconds) && seconds > 0 ? seconds : null
    },
    decodedSeconds: async (path, signal) => {
      const quiet = ['-nostdin', '-v', 'error', '-nostats', '-stats_period', '60', '-progress', 'pipe:1']
      const played = ['-vn', '-f', 'null', '-']
      const output = await run('ffmpeg', [...quiet, ...LOCAL_FILE_ONLY, '-i', `file:${path}`, ...played], signal).catch(
        () => '',
      )
      signal.throwIfAborted()
      const last = [...output.matchAll(/^out_time_us=(\d+)$/gm)].at(-1)?.[1]
      return last && Number(last) > 0 ? Number(last) / 1e6 : null
    },
  }
}
