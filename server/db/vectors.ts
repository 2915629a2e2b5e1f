import type { Log } from '#server/lib/log.ts'
import type { Database } from './client.ts'

/** Whether the database can compare vectors: it has the extension, or may be given it. Asked once at the start. */
export async function openVectors({ execute }: Pick<Database, 'execute'>, log: Log): Promise<boolean> {
  const { rows } = await execute(`select 1 from pg_extension where extname = 'vector'`)
  if (rows.length > 0) return true
  try {
    await execute('create extension if not exists vector')
    return true
  } catch (error) {
    log.info({ err: error }, 'no pgvector: files are searched by words alone')
    return false
  }
}
