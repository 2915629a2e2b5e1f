import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import type { LocalFile } from '#server/storage/storage.ts'

const LEFT_BEHIND_MS = 60 * 60_000

/** Writes a stream into a temporary file. When it is empty, too large or breaks off, the file is removed. */
export async function receive(
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

export function tooLarge(maxBytes: number): AppError {
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
