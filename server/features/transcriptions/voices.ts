import type { StoredSegment, TranscribedPart } from '#server/db/schema.ts'
import type { KnownVoice, TranscriptSegment } from '#server/llm/llm.ts'
import type { AudioSource } from './audio-source.ts'

/** As many voices, and as long ones, as OpenAI takes. */
const MAX_KNOWN = 4
const LEAST_SECONDS = 2
const MOST_SECONDS = 8

interface Sample {
  key: string
  /** Seconds from the beginning of the recording. */
  start: number
  end: number
}

type Heard = Pick<TranscribedPart, 'segments'>

/**
 * Where those who spoke most can be heard alone: the longest such segment of each. Labels begin anew with every part, so
 * the next part is sent with these voices.
 */
export function voiceSamples(parts: readonly Heard[], starts: readonly number[]): Sample[] {
  const heard = parts.flatMap(({ segments }, part) =>
    (segments ?? []).map((segment) => ({
      ...segment,
      part,
      start: segment.start,
      length: segment.end - segment.start,
    })),
  )
  const total = new Map<string, number>()
  const best = new Map<string, Sample & { length: number }>()
  for (const { speaker, part, start, end, length } of heard) {
    if (!speaker) continue
    total.set(speaker, (total.get(speaker) ?? 0) + length)
    const isAlone = heard.every(
      (other) => other.part !== part || other.speaker === speaker || other.start >= end || other.end <= start,
    )
    if (!isAlone || length < LEAST_SECONDS || length <= (best.get(speaker)?.length ?? 0)) continue
    const from = (starts[part] ?? 0) + start
    best.set(speaker, { key: speaker, start: from, end: from + Math.min(length, MOST_SECONDS), length })
  }
  return [...best.values()]
    .sort((a, b) => (total.get(b.key) ?? 0) - (total.get(a.key) ?? 0))
    .slice(0, MAX_KNOWN)
    .map(({ length: _, ...sample }) => sample)
}

export async function knownVoices(source: AudioSource, parts: readonly Heard[]): Promise<KnownVoice[]> {
  const { clip } = source
  if (!clip || parts.length === 0) return []
  const samples = voiceSamples(
    parts,
    parts.map((_, number) => source.times(number).start),
  )
  return Promise.all(samples.map(async ({ key, start, end }) => ({ name: key, audio: await clip(start, end) })))
}

/**
 * The segments of the next part with keys of the whole recording. A label that names a voice sent along is that person;
 * any other label is somebody new, because the same letter meant another person in the part before.
 */
export function keyedSegments(
  segments: readonly TranscriptSegment[] | null,
  earlier: readonly Heard[],
  known: readonly string[],
): StoredSegment[] | null {
  if (!segments) return null
  const before = earlier.flatMap((part) => (part.segments ?? []).map(({ speaker }) => numberOf(speaker)))
  let last = before.reduce((most, number) => Math.max(most, number), 0)
  const keys = new Map(known.map((name) => [name, name]))
  return segments.map(({ start, end, text, speaker }) => {
    if (speaker && !keys.has(speaker)) keys.set(speaker, `s${++last}`)
    return { start, end, text, speaker: (speaker && keys.get(speaker)) || null }
  })
}

const numberOf = (key: string | null | undefined) => Number(key?.slice(1) ?? 0)
