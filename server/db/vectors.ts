import type { Log } from '#server/lib/log.ts'
import type { Database } from './client.ts'

/** Whether the database can compare vectors: it has the extension, or may be given it. Asked once at the start. */
export async function openVectors({ execute }: Pick<Database, 'execute'>, log: Log): Promise<boolean> {
  const isThere = async () => (await execute(`select 1 from pg_extension where extname = 'vector'`)).rows.length > 0
  if (await isThere()) return true
  try {
    await execute('create extension if not exists vector')
    return true
  } catch (error) {
    // Another instance may have created it at the same moment.
    if (await isThere()) return true
    log.info({ err: error }, 'no pgvector: files are searched by words alone')
    return false
  }
}
