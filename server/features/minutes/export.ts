import { minutesTitles } from '#contract/minutes.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { downloadName, fileHeaders } from '../../files/file-name.ts'
import { makeDocx } from '../sharing/docx/make.ts'
import { formatClock } from '../transcriptions/money.ts'
import { kindOf, readDocument, readRecording } from './rows.ts'

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const longDate = new Intl.DateTimeFormat('ru', { dateStyle: 'long', timeZone: 'Europe/Moscow' })

export async function exportDocument(ctx: Ctx, id: string, name: string): Promise<Response> {
  const { kind, text } = await readDocument(ctx.db, ctx.user.id, id, kindOf(name))
  if (text === '') throw new AppError('conflict', 'Текста ещё нет: дождитесь, пока он будет готов.')
  const { title, createdAt, durationMs } = await readRecording(ctx.db, ctx.user.id, id)
  const length = durationMs === null ? '' : `, ${formatClock(durationMs / 1000)}`
  const bytes = await makeDocx(ctx.user.id, {
    type: 'text',
    owner: ctx.user.name,
    title: minutesTitles[kind],
    note: `Запись «${title}» от ${longDate.format(createdAt)}${length}`,
    text,
  })
  return new Response(bytes, { headers: fileHeaders(downloadName(`${minutesTitles[kind]} ${title}`, 'docx'), WORD) })
}
