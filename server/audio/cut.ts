import { loudness } from './loudness.ts'
import type { Sound } from './sound.ts'
import { type Wav, wavHeader } from './wav.ts'

export interface CutLimits {
  maxBytes: number
  maxSeconds: number
}

/** How far before the limit a pause is searched, and how long a pause is. */
const SEARCH_SECONDS = 20
const PAUSE_SECONDS = 0.2
const STEPS_A_PAUSE = 4
const HEADER_BYTES = 44

/** Splits a recording into parts within the limits, each cut at the quietest moment shortly before the limit. */
export async function planCuts(
  sound: Sound,
  wav: Wav,
  { maxBytes, maxSeconds }: CutLimits,
): Promise<{ from: number; to: number }[]> {
  const most = Math.min(Math.floor((maxBytes - HEADER_BYTES) / wav.frameBytes), Math.floor(maxSeconds * wav.rate))
  const parts: { from: number; to: number }[] = []
  let from = 0
  while (wav.frames - from > most) {
    const to = await quietPlace(sound, wav, from, from + most)
    parts.push({ from, to })
    from = to
  }
  return [...parts, { from, to: wav.frames }]
}

/** The middle of the quietest pause before `limit`: of equal ones the latest, and never in the first half of the part. */
async function quietPlace(sound: Sound, wav: Wav, from: number, limit: number): Promise<number> {
  const step = Math.max(1, Math.floor((wav.rate * PAUSE_SECONDS) / STEPS_A_PAUSE))
  const earliest = Math.max(limit - wav.rate * SEARCH_SECONDS, Math.ceil((from + limit) / 2))
  const bytes = await sound.read(wav.dataAt + earliest * wav.frameBytes, (limit - earliest) * wav.frameBytes)
  const steps = loudness(bytes, wav, step)
  if (steps.length <= STEPS_A_PAUSE) return limit
  let best = { loud: Number.POSITIVE_INFINITY, at: limit }
  for (let first = 0; first + STEPS_A_PAUSE < steps.length; first += 1) {
    const loud = steps.slice(first, first + STEPS_A_PAUSE).reduce((sum, value) => sum + value, 0)
    if (loud <= best.loud) best = { loud, at: earliest + (first + STEPS_A_PAUSE / 2) * step }
  }
  return best.at
}

/** One part as a complete WAV file. */
export async function partOf(sound: Sound, wav: Wav, { from, to }: { from: number; to: number }): Promise<Buffer> {
  const data = await sound.read(wav.dataAt + from * wav.frameBytes, (to - from) * wav.frameBytes)
  return Buffer.concat([wavHeader(wav, to - from), data])
}
