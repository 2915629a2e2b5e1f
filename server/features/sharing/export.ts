import type { ExportFormat } from '#contract/threads.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { type Exported, readExported } from './exported.ts'
import { fileHeaders, safeFileName } from './file-name.ts'
import { markdownFile } from './markdown-file.ts'

/** A document of Word is made whole, in memory and with some seconds of work. */
const MAX_DOCX_BYTES = 3_000_000

const types: Record<ExportFormat, string> = {
  md: 'text/markdown; charset=utf-8',
  json: 'application/json; charset=utf-8',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
}

/** The current branch as a file to keep. */
export async function exportThread(ctx: Ctx, id: string, format: ExportFormat): Promise<Response> {
  const exported = await readExported(ctx, id)
  const headers = fileHeaders(safeFileName(exported.thread.title, format), types[format])
  if (format === 'docx') return new Response(await makeDocx(ctx.user.id, exported), { headers })
  const text = format === 'md' ? markdownFile(exported) : jsonFile(exported)
  return new Response(ReadableStream.from(text).pipeThrough(new TextEncoderStream()), { headers })
}

async function* jsonFile({ thread, messages }: Exported): AsyncGenerator<string> {
  yield `${JSON.stringify(thread, null, 2).slice(0, -2)},\n  "Messages": [`
  let before = '\n'
  for await (const message of messages) {
    yield before + JSON.stringify(message)
    before = ',\n'
  }
  yield '\n  ]\n}\n'
}

const making = new Set<string>()
let turn: Promise<unknown> = Promise.resolve()

/** One at a time in this process, and one for each person: a document takes seconds of work. */
async function makeDocx(userId: string, exported: Exported): Promise<Uint8Array<ArrayBuffer>> {
  if (exported.bytes > MAX_DOCX_BYTES)
    throw new AppError('payload_too_large', 'Чат слишком большой для Word. Скачайте его в Markdown или JSON.')
  if (making.has(userId))
    throw new AppError('too_many_requests', 'Предыдущий документ ещё готовится. Дождитесь его и повторите.', {
      retryAfterSeconds: 5,
    })
  making.add(userId)
  // Few need it, and nobody else should carry what it loads.
  const made = turn.then(async () => (await import('./docx/file.ts')).docxFile(exported))
  turn = made.catch(() => undefined)
  return made.finally(() => making.delete(userId))
}
