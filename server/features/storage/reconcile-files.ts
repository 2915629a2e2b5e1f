import type { Db } from '#server/db/client.ts'
import type { Storage } from '#server/storage/storage.ts'
import { cleanStorage } from './cleaning.ts'
import { listed, type StoredKind, storedKinds } from './kinds.ts'
import { guardStorage } from './owner.ts'

/** Some of them by name, and how many there are. */
interface Found {
  count: number
  keys: string[]
}

interface Compared {
  label: string
  objects: number
  /** Rows whose bytes are gone. */
  rowsWithoutBytes: Found
  bytesWithoutRows: Found
}

const SHOWN = 20

/** The comparison as lines for the owner. With `deletes` also what has been without a row for a week goes, however much. */
export async function reconcileFiles(
  deps: Parameters<typeof guardStorage>[0],
  deletes: boolean,
): Promise<{ isGood: boolean; lines: string[] }> {
  const compared = await compareStorage(deps.db, deps.storage)
  const lines = compared.flatMap(({ label, objects, rowsWithoutBytes, bytesWithoutRows }) => [
    `${label}: объектов ${objects}, строк без файла ${rowsWithoutBytes.count}, файлов без строки ${bytesWithoutRows.count}`,
    ...rowsWithoutBytes.keys.map((key) => `  ✗ нет файла ${key}`),
    ...bytesWithoutRows.keys.map((key) => `  · нет строки для ${key}`),
  ])
  if (deletes) {
    const cleaned = await cleanStorage({ ...deps, owned: guardStorage(deps) }, { release: true })
    lines.push(
      cleaned
        ? `Удалено файлов, у которых неделю нет строки: ${cleaned.deleted}`
        : 'Ничего не удалено: хранилище принадлежит другой установке или недоступно. Что делать, сказано в статистике администратора.',
    )
  }
  const isGood = compared.every(({ rowsWithoutBytes }) => rowsWithoutBytes.count === 0)
  return { isGood, lines }
}

/** Compares every row that names bytes with what lies in the storage, kind by kind. */
async function compareStorage(db: Db, storage: Storage): Promise<Compared[]> {
  const compared: Compared[] = []
  for (const kind of storedKinds) compared.push(await compareKind(db, storage, kind))
  return compared
}

async function compareKind(db: Db, storage: Storage, kind: StoredKind): Promise<Compared> {
  const present = new Set<string>()
  const bytesWithoutRows: Found = { count: 0, keys: [] }
  for await (const keys of listed(storage, kind)) {
    const named = await kind.named(db, keys)
    for (const key of keys) {
      present.add(key)
      if (!named.has(key)) add(bytesWithoutRows, key)
    }
  }
  const rowsWithoutBytes: Found = { count: 0, keys: [] }
  for await (const keys of kind.keys(db))
    for (const key of keys)
      if (!present.has(key) && (await isMissing(db, storage, kind, key))) add(rowsWithoutBytes, key)
  return { label: kind.label, objects: present.size, rowsWithoutBytes, bytesWithoutRows }
}

/** Not when it came after the listing, or its row went meanwhile. */
async function isMissing(db: Db, storage: Storage, kind: StoredKind, key: string): Promise<boolean> {
  const kept = await storage.read(key)
  await kept?.stream.cancel()
  return !kept && (await kind.named(db, [key])).has(key)
}

function add(found: Found, key: string): void {
  found.count += 1
  if (found.keys.length < SHOWN) found.keys.push(key)
}
