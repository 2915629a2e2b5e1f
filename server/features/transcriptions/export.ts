import type { TranscriptFormat } from '#contract/transcriptions.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { fileHeaders, safeFileName } from '../sharing/file-name.ts'
import type { Row } from './rows.ts'
import { srtFile, txtFile } from './text-files.ts'
import { readRow } from './transcriptions.ts'

interface Writer {
  type: string
  write: (row: Row, owner: string) => string | Promise<Uint8Array<ArrayBuffer>>
}

const writers: Record<TranscriptFormat, Writer> = {
  txt: { type: 'text/plain; charset=utf-8', write: ({ title, text }) => txtFile(title, text) },
  srt: { type: 'application/x-subrip; charset=utf-8', write: ({ segments }) => srtFile(segments ?? []) },
  docx: {
    type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    // Few need it, and nobody else should carry what it loads.
    write: async (row, owner) => (await import('./docx-file.ts')).docxTranscript(row, owner),
  },
}

/** The text as a file to keep. */
export async function exportTranscription(ctx: Ctx, id: string, format: TranscriptFormat): Promise<Response> {
  const row = await readRow(ctx, id)
  if (row.state !== 'ready') throw new AppError('conflict', 'Текста ещё нет: дождитесь конца расшифровки.')
  if (format === 'srt' && !row.segments)
    throw new AppError('conflict', 'У этого текста нет меток времени, поэтому субтитров не получится.')
  const { type, write } = writers[format]
  return new Response(await write(row, ctx.user.name), { headers: fileHeaders(safeFileName(row.title, format), type) })
}
