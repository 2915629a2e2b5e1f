import type { ExportFormat } from '#contract/threads.ts'
import type { Ctx } from '#server/http/context.ts'
import type { TakeSlot } from '#server/http/slots.ts'
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
export async function exportThread(ctx: Ctx, takeTurn: TakeSlot, id: string, format: ExportFormat): Promise<Response> {
  const exported = await readExported(ctx, id)
  const headers = fileHeaders(safeFileName(exported.thread.title, format), types[format])
  if (format === 'docx') {
    if (exported.bytes > MAX_DOCX_BYTES)
      throw new AppError('payload_too_large', 'Чат слишком большой для Word. Скачайте его в Markdown или JSON.')
    const leave = takeTurn(ctx.user.id)
    return new Response(await makeDocx(exported).finally(leave), { headers })
  }
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

let turn: Promise<unknown> = Promise.resolve()

/** One at a time in this process: a document takes seconds of work. */
function makeDocx(exported: Exported): Promise<Uint8Array<ArrayBuffer>> {
  // Few need it, and nobody else should carry what it loads.
  const made = turn.then(async () => (await import('./docx/file.ts')).docxFile(exported))
  turn = made.catch(() => undefined)
  return made
}
