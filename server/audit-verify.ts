import { parseArgs } from 'node:util'
import { readConfig } from './config.ts'
import { openDatabase } from './db/client.ts'
import { sqlFolders } from './db/sql-folders.ts'
import { type Verified, verifyChain } from './features/audit/verify.ts'

/** Proves the audit log from the command line: says where it is broken, and leaves with 1 if it is. */

const faults = {
  gap: 'перед ней не хватает записей',
  link: 'она не продолжает предыдущую',
  content: 'её содержание изменили',
}

function report({ count, head, broken, keptIsThere }: Verified): string[] {
  const lines = broken
    ? [`✗ Цепочка порвана на записи № ${broken.id}: ${faults[broken.reason]}.`, `Целых записей до неё: ${count}`]
    : [`Цепочка цела. Записей: ${count}`]
  if (!keptIsThere) lines.unshift('✗ Сохранённого хеша в цепочке нет: журнал переписан или урезан.')
  return [...lines, `Последний хеш: ${head ?? 'нет'}`]
}

try {
  const { values } = parseArgs({ options: { head: { type: 'string' } } })
  const database = await openDatabase(readConfig().database, sqlFolders())
  const verified = await verifyChain(database.db, values.head?.trim().toLowerCase() ?? null)
  await database.close()
  process.stdout.write(`${report(verified).join('\n')}\n`)
  process.exit(verified.broken || !verified.keptIsThere ? 1 : 0)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
