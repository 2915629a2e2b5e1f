import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import type { LocalFile } from '#server/storage/storage.ts'
import { readUpload } from './multipart.ts'

const LEFT_BEHIND_MS = 60 * 60_000
/** The most that a multipart body has besides its file: delimiters, headers and text fields. */
const MULTIPART_OVERHEAD_BYTES = 32 * 1024

export interface ReceivedUpload {
  /** As the client sent it; see safeFileName. */
  name: string
  fields: Map<string, string>
  /** The caller deletes it. */
  local: LocalFile
}

export async function receiveUpload(
  request: Request,
  folder: string,
  maxBytes: number,
  fieldNames: readonly string[] = [],
): Promise<ReceivedUpload> {
  if (Number(request.headers.get('content-length')) > maxBytes + MULTIPART_OVERHEAD_BYTES) throw tooLarge(maxBytes)
  const type = request.headers.get('content-type') ?? undefined
  const { name, content, fields } = await readUpload(type, bodyOf(request), fieldNames)
  return { name, fields, local: await receiveFile(content, folder, maxBytes) }
}

export const bodyOf = (request: Request): AsyncIterable<Uint8Array> => request.body ?? emptyBody()

async function* emptyBody(): AsyncGenerator<Uint8Array> {}

/** Writes a stream into a temporary file, which is removed when the stream is empty, too large or breaks off. */
export async function receiveFile(
  content: AsyncIterable<Uint8Array>,
  folder: string,
  maxBytes: number,
): Promise<LocalFile> {
  const path = join(folder, newId())
  const file = await open(path, 'wx', 0o600)
  let bytes = 0
  try {
    for await (const chunk of content) {
      bytes += chunk.length
      if (bytes > maxBytes) throw tooLarge(maxBytes)
      await file.writeFile(chunk)
    }
    if (bytes === 0) throw new AppError('bad_request', 'Файл пустой: в нём нет ни одного байта.', { field: 'file' })
  } catch (error) {
    await file.close()
    await rm(path, { force: true })
    throw error
  }
  await file.close()
  return { path, bytes }
}

function tooLarge(maxBytes: number): AppError {
  const megabytes = Math.floor(maxBytes / 1024 / 1024)
  return new AppError(
    'payload_too_large',
    `Файл больше ${megabytes} МБ. Сожмите его или разделите на части и загрузите снова.`,
    { field: 'file' },
  )
}

/** Deletes temporary files that a killed process left behind. */
export async function sweepIncoming(folder: string, now = Date.now()): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const info = await stat(path).catch(() => null)
    if (info && info.mtimeMs < now - LEFT_BEHIND_MS) await rm(path, { force: true })
  }
}
