import type { Attachment } from '#contract/files.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import type { Storage } from '#server/storage/storage.ts'
import { keepText } from '../files/store-text.ts'
import { safeFileName } from '../sharing/file-name.ts'
import { clock } from './money.ts'
import { readRow } from './transcriptions.ts'

/** The text as a document that a message can take along: the chat about a recording begins with it. */
export async function askAbout(ctx: Ctx, storage: Storage, id: string): Promise<Attachment> {
  const row = await readRow(ctx, id)
  if (row.state !== 'ready') throw new AppError('conflict', 'Текста ещё нет: дождитесь конца расшифровки.')
  if (row.text.trim() === '') throw new AppError('conflict', 'В записи не нашлось слов: спрашивать не о чем.')
  const said = row.segments
    ? row.segments.map(({ start, text }) => `[${clock(start)}] ${text.trim()}`).join('\n')
    : row.text
  return keepText(ctx, storage, { name: safeFileName(row.title, 'txt'), content: said })
}
