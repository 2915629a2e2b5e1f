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
  const total = new Map<string, number>()
  const best = new Map<string, Sample & { length: number }>()
  for (const [part, { segments }] of parts.entries()) {
    const heard = segments ?? []
    const alone = spokenAlone(heard)
    for (const segment of heard) {
      const { speaker, start, end } = segment
      if (!speaker) continue
      const length = end - start
      total.set(speaker, (total.get(speaker) ?? 0) + length)
      if (length < LEAST_SECONDS || length <= (best.get(speaker)?.length ?? 0) || !alone.has(segment)) continue
      const from = (starts[part] ?? 0) + start
      best.set(speaker, { key: speaker, start: from, end: from + Math.min(length, MOST_SECONDS), length })
    }
  }
  return [...best.values()]
    .sort((a, b) => (total.get(b.key) ?? 0) - (total.get(a.key) ?? 0))
    .slice(0, MAX_KNOWN)
    .map(({ length: _, ...sample }) => sample)
}

/** The segments in which nobody else speaks. A long meeting has thousands: those before and after are not gone through. */
function spokenAlone(segments: readonly StoredSegment[]): Set<StoredSegment> {
  const ordered = segments.toSorted((a, b) => a.start - b.start)
  const isCut = new Set([
    ...reachedByOthers(ordered, ({ start, end }) => ({ reach: end, limit: start })),
    ...reachedByOthers(ordered.toReversed(), ({ start, end }) => ({ reach: -start, limit: -end })),
  ])
  return new Set(ordered.filter((segment) => !isCut.has(segment)))
}

interface Span {
  reach: number
  limit: number
}

/** Those where a segment of somebody else that comes before reaches beyond their limit. */
function reachedByOthers(ordered: readonly StoredSegment[], spanOf: (segment: StoredSegment) => Span) {
  // The farthest so far, and the farthest of anybody else.
  let far = { person: '', reach: Number.NEGATIVE_INFINITY }
  let other = far
  return ordered.filter((segment) => {
    const person = segment.speaker ?? ''
    const { reach, limit } = spanOf(segment)
    const isReached = (far.person === person ? other.reach : far.reach) > limit
    if (person === far.person) far = { person, reach: Math.max(reach, far.reach) }
    else if (reach > far.reach) [far, other] = [{ person, reach }, far]
    else if (reach > other.reach) other = { person, reach }
    return isReached
  })
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
