import { AppError } from '#server/lib/errors.ts'
import type { Row } from './rows.ts'
import { shownSegments, shownSpeakers } from './speakers.ts'
import { type RecordingOwner, readRow } from './transcriptions.ts'

export interface SpokenLine {
  /** From the beginning of the recording; null when the model gave no times. */
  second: number | null
  /** A name that can be shown; null when it is not known who spoke. */
  speaker: string | null
  /** Of the speaker; it stays when the speaker is renamed. */
  key?: string | null
  text: string
}

export interface SpokenRecording {
  title: string
  createdAt: Date
  durationMs: number | null
  /** Without empty lines. */
  lines: SpokenLine[]
}

/** A finished recording of the caller, line by line. */
export async function spokenRecording(owner: RecordingOwner, id: string): Promise<SpokenRecording> {
  const row = await readRow(owner, id)
  if (row.state !== 'ready') throw new AppError('conflict', 'Текста ещё нет: дождитесь конца расшифровки.')
  const { title, createdAt, durationMs } = row
  return { title, createdAt, durationMs, lines: spokenLines(row) }
}

/** A text without times has a line for each paragraph. */
export function spokenLines({ text, segments, speakers }: Pick<Row, 'text' | 'segments' | 'speakers'>): SpokenLine[] {
  const names = new Map(shownSpeakers(speakers).map(({ key, name }) => [key, name]))
  const lines = segments
    ? shownSegments(segments, speakers).map((segment) => ({
        second: segment.start,
        speaker: names.get(segment.speaker ?? '') ?? null,
        key: segment.speaker ?? null,
        text: segment.text.trim(),
      }))
    : text.split(/\n+/).map((paragraph) => ({ second: null, speaker: null, text: paragraph.trim() }))
  return lines.filter((line) => line.text !== '')
}

export interface Turn {
  speaker: string | null
  lines: SpokenLine[]
}

/** Lines that one person says one after another. */
export function turnsOf(lines: readonly SpokenLine[]): Turn[] {
  const turns: Turn[] = []
  for (const line of lines) {
    const last = turns.at(-1)
    if (last && last.speaker === line.speaker) last.lines.push(line)
    else turns.push({ speaker: line.speaker, lines: [line] })
  }
  return turns
}
