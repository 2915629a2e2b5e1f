import { textRun } from '../sharing/docx/blocks.ts'
import { packDocx, styledParagraph } from '../sharing/docx/package.ts'
import { formatClock } from './money.ts'
import type { Row } from './rows.ts'
import { spokenLines, type Turn, turnsOf } from './spoken-lines.ts'

const longDate = new Intl.DateTimeFormat('ru', { dateStyle: 'long', timeZone: 'Europe/Moscow' })

export type Transcript = Pick<Row, 'title' | 'text' | 'segments' | 'speakers' | 'durationMs' | 'createdAt'>

/** With a time before each segment if the model gave times, and the name of who spoke; otherwise in paragraphs. */
export function docxTranscript(row: Transcript, owner: string): Promise<Uint8Array<ArrayBuffer>> {
  const length = row.durationMs === null ? '' : `, ${formatClock(row.durationMs / 1000)}`
  const head = [
    styledParagraph('Title', row.title),
    styledParagraph('Note', `Запись от ${longDate.format(row.createdAt)}${length}`),
  ]
  const paragraphs = row.segments ? turnsOf(spokenLines(row)).flatMap(turn) : row.text.split(/\n+/).map(plain)
  return packDocx({ title: row.title, owner, body: [...head, ...paragraphs].join('') })
}

function turn({ speaker, lines }: Turn): string[] {
  if (speaker === null)
    return lines.flatMap(({ second, text }) => [styledParagraph('Speaker', formatClock(second ?? 0)), plain(text)])
  const head = styledParagraph('Speaker', `${speaker}, ${formatClock(lines[0]?.second ?? 0)}`)
  return [head, plain(lines.map(({ text }) => text).join(' '))]
}

const plain = (text: string) => `<w:p>${textRun(text)}</w:p>`
