import type { Segment } from '#contract/transcriptions.ts'
import type { TranscribedPart } from '#server/db/schema.ts'

/** Where a part stands in the whole, in seconds. */
export interface PartTimes {
  start: number
  end: number | null
}

/** A silence this long, or a paragraph this long at the end of a sentence, begins a new paragraph. */
const PAUSE = 2
const PARAGRAPH = 600

/** Puts what was heard in the parts together, with times from the beginning of the whole. */
export function joinParts(
  parts: readonly TranscribedPart[],
  times: readonly PartTimes[],
): { text: string; segments: Segment[] | null } {
  if (parts.every(({ segments }) => segments === null)) {
    const texts = parts.map(({ text }) => text.trim()).filter((text) => text !== '')
    return { text: texts.join('\n\n'), segments: null }
  }
  const segments = parts.flatMap((part, i) => shifted(part, times[i] ?? { start: 0, end: null }))
  return { text: textOf(segments), segments }
}

function shifted({ text, segments, seconds }: TranscribedPart, { start, end }: PartTimes): Segment[] {
  const last = end ?? start + (seconds ?? segments?.at(-1)?.end ?? 0)
  // A part without times, among others that have them, is one long segment.
  const own = segments ?? (text.trim() === '' ? [] : [{ start: 0, end: last - start, text: text.trim() }])
  const within = (time: number) => round(Math.min(Math.max(start + time, start), Math.max(last, start)))
  return own.map((segment) => {
    const from = within(segment.start)
    return { start: from, end: Math.max(from, within(segment.end)), text: segment.text }
  })
}

const round = (seconds: number) => Math.round(seconds * 1000) / 1000

/** Segments as prose: one after another, in paragraphs. */
export function textOf(segments: readonly Segment[]): string {
  let text = ''
  let length = 0
  let before: Segment | null = null
  for (const segment of segments) {
    const said = segment.text.trim()
    if (said === '') continue
    const isPause = before !== null && segment.start - before.end >= PAUSE
    const isLong = length > PARAGRAPH && /[.!?…]["»)]?$/.test(before?.text.trim() ?? '')
    const isNew = isPause || isLong
    if (text !== '') text += isNew ? '\n\n' : ' '
    text += said
    length = isNew ? said.length : length + said.length
    before = segment
  }
  return text
}
