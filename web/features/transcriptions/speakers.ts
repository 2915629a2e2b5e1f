import { type Segment, SPEAKER_COLORS, type Speaker, usualSpeakerName } from '#contract/transcriptions.ts'

/** Dark and light enough for a mark on both backgrounds. */
const colors = ['#4f6ef7', '#0e9f6e', '#d9730d', '#d6336c', '#8b5cf6', '#0891b2', '#a37f00', '#78716c']
export const colorNames = [
  'Синий',
  'Зелёный',
  'Оранжевый',
  'Розовый',
  'Фиолетовый',
  'Бирюзовый',
  'Горчичный',
  'Серый',
] as const

export const colorOf = (color: number) => colors[color % SPEAKER_COLORS] ?? colors[0]

/** The name and the colour of a key; one that another tab has joined meanwhile has the usual ones. */
export function speakerOf(speakers: readonly Speaker[], key: string | null | undefined): Speaker | null {
  if (!key) return null
  return speakers.find((speaker) => speaker.key === key) ?? { key, name: usualSpeakerName(key), color: 0 }
}

/** Shares of the time in which somebody speaks, in whole percent that add up to about a hundred. */
export function sharesOfTime(segments: readonly Segment[]): Map<string, number> {
  const seconds = new Map<string, number>()
  let total = 0
  for (const { start, end, speaker } of segments) {
    if (!speaker) continue
    const length = Math.max(0, end - start)
    total += length
    seconds.set(speaker, (seconds.get(speaker) ?? 0) + length)
  }
  return new Map([...seconds].map(([key, spoken]) => [key, total === 0 ? 0 : Math.round((spoken * 100) / total)]))
}

/** What a person says first, to recognise the voice by. */
export const firstWords = (segments: readonly Segment[], key: string) =>
  segments.find(({ speaker, text }) => speaker === key && text.trim() !== '')?.text.trim() ?? ''

/** A new turn begins where another person speaks. */
export const beginsTurn = (segments: readonly Segment[], index: number) =>
  index === 0 || (segments[index]?.speaker ?? null) !== (segments[index - 1]?.speaker ?? null)

/** The same turn with another speaker. */
export function turnBy(segments: readonly Segment[], index: number, speaker: string | null): Segment[] {
  let last = index
  while (last + 1 < segments.length && !beginsTurn(segments, last + 1)) last += 1
  return segments.map((segment, i) => (i >= index && i <= last ? { ...segment, speaker } : segment))
}

/** «Имя: текст», a paragraph for each turn; without speakers one paragraph. */
export function textWithNames(segments: readonly Segment[], speakers: readonly Speaker[]): string {
  let text = ''
  for (const [index, segment] of segments.entries()) {
    const name = speakerOf(speakers, segment.speaker)?.name
    const isTurn = beginsTurn(segments, index)
    if (text !== '') text += isTurn ? '\n\n' : ' '
    text += isTurn && name ? `${name}: ${segment.text.trim()}` : segment.text.trim()
  }
  return text
}
