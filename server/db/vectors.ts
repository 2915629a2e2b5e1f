import type { Log } from '#server/lib/log.ts'
import type { Database } from './client.ts'

/** Whether pgvector is installed or could be installed. Checked once at the start. */
export async function openVectors({ execute }: Pick<Database, 'execute'>, log: Log): Promise<boolean> {
  const isThere = async () => (await execute(`select 1 from pg_extension where extname = 'vector'`)).rows.length > 0
  if (await isThere()) return true
  try {
    await execute('create extension if not exists vector')
    return true
  } catch (error) {
    // Another instance may have created it at the same moment.
    if (await isThere()) return true
    log.info({ err: error }, 'database: no pgvector, files are searched by words only')
    return false
  }
}
