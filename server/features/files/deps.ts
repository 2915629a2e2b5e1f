import { mkdir } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { createPool, type Pool } from '#server/files/pool.ts'
import { diskStorage, incomingIn } from '#server/storage/disk.ts'
import { s3Storage } from '#server/storage/s3.ts'
import type { S3Settings } from '#server/storage/s3-settings.ts'
import type { Storage } from '#server/storage/storage.ts'

export interface FileDeps {
  storage: Storage
  /** The folder for temporary files of uploads. */
  incoming: string
  pool: Pool
}

const READ_MS = 60_000
const HEAP_MB = 512
/** The second one is for other people, while one reads a file that takes long; without the memory for it they wait. */
const THREADS = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) >= 2 * 2 ** 30 ? 2 : 1

/** Bytes go to S3 when it is set up, otherwise to a folder beside the other data. */
export async function openFiles(dataDir: string, s3: S3Settings | null): Promise<FileDeps> {
  const folder = join(dataDir, 'files')
  const incoming = incomingIn(folder)
  await mkdir(incoming, { recursive: true, mode: 0o700 }).catch((cause: Error) => {
    throw new Error(
      `В папку ${folder} нельзя писать (${cause.message}). Дайте серверу права на неё или задайте другую в DATA_DIR.`,
    )
  })
  return {
    storage: s3 ? s3Storage(s3) : await diskStorage(folder),
    incoming,
    pool: createPool({ threads: THREADS, workMs: READ_MS, heapMb: HEAP_MB }),
  }
}
