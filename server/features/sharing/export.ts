import type { ExportFormat } from '#contract/threads.ts'
import type { Ctx } from '#server/http/context.ts'
import { type Exported, readExported } from './exported.ts'
import { fileHeaders, safeFileName } from './file-name.ts'
import { markdownFile } from './markdown-file.ts'

interface Writer {
  type: string
  write: (exported: Exported) => string | Promise<Uint8Array<ArrayBuffer>>
}

const writers: Record<ExportFormat, Writer> = {
  md: { type: 'text/markdown; charset=utf-8', write: markdownFile },
  json: {
    type: 'application/json; charset=utf-8',
    write: ({ thread, messages }) => `${JSON.stringify({ ...thread, Messages: messages }, null, 2)}\n`,
  },
  docx: {
    type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    // Few need it, and nobody else should carry what it loads.
    write: async (exported) => (await import('./docx/file.ts')).docxFile(exported),
  },
}

/** The current branch as a file to keep. */
export async function exportThread(ctx: Ctx, id: string, format: ExportFormat): Promise<Response> {
  const exported = await readExported(ctx, id)
  const { type, write } = writers[format]
  const name = safeFileName(exported.thread.title, format)
  return new Response(await write(exported), { headers: fileHeaders(name, type) })
}
