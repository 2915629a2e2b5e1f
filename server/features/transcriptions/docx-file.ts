import { textRun } from '../sharing/docx/blocks.ts'
import { packDocx, styledParagraph } from '../sharing/docx/package.ts'
import { formatClock } from './money.ts'
import type { Row } from './rows.ts'

const longDate = new Intl.DateTimeFormat('ru', { dateStyle: 'long', timeZone: 'Europe/Moscow' })

export type Transcript = Pick<Row, 'title' | 'text' | 'segments' | 'durationMs' | 'createdAt'>

/** With a time before each segment if the model gave times, otherwise in paragraphs. */
export function docxTranscript(row: Transcript, owner: string): Promise<Uint8Array<ArrayBuffer>> {
  const length = row.durationMs === null ? '' : `, ${formatClock(row.durationMs / 1000)}`
  const head = [
    styledParagraph('Title', row.title),
    styledParagraph('Note', `Запись от ${longDate.format(row.createdAt)}${length}`),
  ]
  const paragraphs = row.segments
    ? row.segments.flatMap(({ start, text }) => [styledParagraph('Speaker', formatClock(start)), plain(text)])
    : row.text.split(/\n+/).map(plain)
  return packDocx({ title: row.title, owner, body: [...head, ...paragraphs].join('') })
}

const plain = (text: string) => `<w:p>${textRun(text)}</w:p>`
