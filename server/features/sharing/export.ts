import type { ExportFormat, Message } from '#contract/threads.ts'
import type { Ctx } from '#server/http/context.ts'
import type { TakeSlot } from '#server/http/limits.ts'
import { AppError } from '#server/lib/errors.ts'
import { createPauses } from '#server/lib/pauses.ts'
import { downloadName, fileHeaders } from '../../files/file-name.ts'
import { makeDocx } from './docx/make.ts'
import { readExportedThread } from './exported.ts'
import { citationsLine, dateLine, type ExportedThread, filesLine, textOf, thoughtText } from './lines.ts'

/** A Word document is built in memory and takes seconds of CPU time. */
const MAX_DOCX_BYTES = 3_000_000

const types: Record<ExportFormat, string> = {
  md: 'text/markdown; charset=utf-8',
  json: 'application/json; charset=utf-8',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
}

/** Downloads the current branch as a file. */
export async function exportThread(
  ctx: Ctx,
  takeSlot: TakeSlot,
  id: string,
  { format, thoughts }: { format: ExportFormat; thoughts?: '1' | undefined },
): Promise<Response> {
  const exported = await readExportedThread(ctx, id, thoughts === '1')
  const headers = fileHeaders(downloadName(exported.thread.title, format), types[format])
  if (format === 'docx') {
    if (exported.bytes > MAX_DOCX_BYTES)
      throw new AppError('payload_too_large', 'Чат слишком большой для Word. Скачайте его в Markdown или JSON.')
    const releaseSlot = takeSlot(ctx.user.id)
    return new Response(await docxOf(ctx.user.id, exported).finally(releaseSlot), { headers })
  }
  const text = format === 'md' ? markdownFile(exported) : jsonFile(exported)
  return new Response(ReadableStream.from(text).pipeThrough(new TextEncoderStream()), { headers })
}

async function* jsonFile({ thread, messages, summaries }: ExportedThread): AsyncGenerator<string> {
  yield `${JSON.stringify(thread, null, 2).slice(0, -2)},\n  "Messages": [`
  let before = '\n'
  const pause = createPauses()
  for await (const message of messages) {
    yield before + JSON.stringify(message)
    before = ',\n'
    await pause()
  }
  yield `\n  ],\n  "Summaries": ${JSON.stringify(summaries)}\n}\n`
}

async function docxOf(
  userId: string,
  { owner, thread, messages, speakerOf }: ExportedThread,
): Promise<Uint8Array<ArrayBuffer>> {
  const spoken: (Message & { speaker: string })[] = []
  for await (const message of messages) spoken.push({ ...message, speaker: speakerOf(message) })
  return makeDocx(userId, { type: 'thread', owner, thread, messages: spoken })
}

export async function* markdownFile({ thread, messages, speakerOf }: ExportedThread): AsyncGenerator<string> {
  yield `# ${escapeMarkdown(oneLine(thread.title))}${SEPARATOR}${dateLine(thread)}`
  const pause = createPauses()
  for await (const message of messages) {
    const parts = [
      `**${escapeMarkdown(speakerOf(message))}**`,
      filesLine(message),
      quoted(thoughtText(message)),
      closeFence(textOf(message)),
      citationsLine(message),
    ]
    yield SEPARATOR + parts.filter(Boolean).join('\n\n')
    await pause()
  }
  yield '\n'
}

const quoted = (text: string | null) => text?.replace(/^/gm, '> ')

const SEPARATOR = '\n\n---\n\n'

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
const escapeMarkdown = (text: string) => text.replace(/[\\`*_[\]<>#]/g, '\\$&')

/** Closes the code block of an answer that was stopped inside it: the rest of the file would become code. */
function closeFence(text: string): string {
  const body = text.trim()
  let fence: string | null = null
  for (const line of body.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (!mark) continue
    if (fence === null) fence = mark
    else if (mark.startsWith(fence) && line.trim() === mark) fence = null
  }
  return fence === null ? body : `${body}\n${fence}`
}
