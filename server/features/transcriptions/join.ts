import type { StoredSegment, TranscribedPart } from '#server/db/schema.ts'

/** Seconds from the beginning of the recording. */
export interface PartTimes {
  start: number
  end: number | null
}

/** A new paragraph begins after so many seconds of silence, or after so many characters at the end of a sentence. */
const PAUSE_SECONDS = 2
const PARAGRAPH_LENGTH = 600

/** Joins the texts of the parts, with times counted from the beginning of the recording. */
export function joinParts(
  parts: readonly Omit<TranscribedPart, 'ms'>[],
  times: readonly PartTimes[],
): { text: string; segments: StoredSegment[] | null } {
  if (parts.every(({ segments }) => segments === null)) {
    const texts = parts.map(({ text }) => text.trim()).filter((text) => text !== '')
    return { text: texts.join('\n\n'), segments: null }
  }
  const segments = parts.flatMap((part, i) => shifted(part, times[i] ?? { start: 0, end: null }))
  return { text: textOf(segments), segments }
}

function shifted({ text, segments, seconds }: Omit<TranscribedPart, 'ms'>, { start, end }: PartTimes): StoredSegment[] {
  const last = end ?? start + (seconds ?? segments?.at(-1)?.end ?? 0)
  // A part without times becomes one segment when other parts have times.
  const own = segments ?? (text.trim() === '' ? [] : [{ start: 0, end: last - start, text: text.trim() }])
  const within = (time: number) => round(Math.min(Math.max(start + time, start), Math.max(last, start)))
  return own.map((segment) => {
    const from = within(segment.start)
    const end = Math.max(from, within(segment.end))
    return { start: from, end, text: segment.text, speaker: segment.speaker ?? null }
  })
}

const byKey = (speaker: string | null | undefined) => speaker ?? null
const round = (seconds: number) => Math.round(seconds * 1000) / 1000

/** A new paragraph begins after a pause, with another speaker, and where one gets long. */
export function textOf(segments: readonly StoredSegment[], personOf = byKey): string {
  let text = ''
  let length = 0
  let before: StoredSegment | null = null
  for (const segment of segments) {
    const spoken = segment.text.trim()
    if (spoken === '') continue
    const isPause = before !== null && segment.start - before.end >= PAUSE_SECONDS
    const isLong = length > PARAGRAPH_LENGTH && /[.!?…]["»)]?$/.test(before?.text.trim() ?? '')
    const isOther = before !== null && personOf(segment.speaker) !== personOf(before.speaker)
    const isNew = isPause || isLong || isOther
    if (text !== '') text += isNew ? '\n\n' : ' '
    text += spoken
    length = isNew ? spoken.length : length + spoken.length
    before = segment
  }
  return text
}
