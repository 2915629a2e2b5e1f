import type { Db } from '#server/db/client.ts'
import { transcriptions } from '#server/db/schema.ts'
import { newId } from '#server/lib/ids.ts'

interface MeetingOptions {
  lines?: string[]
  title?: string
  segments?: { start: number; end: number; text: string }[] | null
}

/** A transcribed recording with a line every ten seconds. */
export async function aMeeting(db: Db, userId: string, options: MeetingOptions = {}): Promise<string> {
  const { lines = ['Добрый день.', 'Снимаем склад.', 'Анна пришлёт договор до пятницы.'], title = 'Планёрка' } = options
  const segments =
    options.segments === undefined
      ? lines.map((text, i) => ({ start: i * 10, end: i * 10 + 9, text }))
      : options.segments
  const id = newId()
  await db.insert(transcriptions).values({
    ...{
      id,
      userId,
      title,
      fileName: 'a.wav',
      bytes: 1,
      received: 1,
      chunkBytes: 1,
      storageKey: id,
      mime: 'audio/wav',
    },
    ...{ state: 'ready', durationMs: lines.length * 10_000, text: lines.join(' '), segments },
  })
  return id
}

/** A meeting that a model with a small window reads in five parts; each line has a word of its own. */
export const longMeeting = () =>
  Array.from({ length: 60 }, (_, i) => `слово${i} ${'и разговор о складе и договоре '.repeat(7)}`.trim())

interface NotesDraft {
  summary?: string
  decisions?: object[]
  tasks?: object[]
  questions?: object[]
}

export const notesText = (notes: NotesDraft = {}) =>
  JSON.stringify({ summary: 'Обсудили склад.', decisions: [], tasks: [], questions: [], ...notes })
