import type { Db } from '#server/db/client.ts'
import type { Storage } from '#server/storage/storage.ts'
import { cleanStorage } from './cleaning.ts'
import { listKeys, type StoredKind } from './kinds.ts'
import { guardStorage } from './owner.ts'

/** The number of keys and the first SHOWN of them. */
interface KeyList {
  count: number
  keys: string[]
}

interface Compared {
  label: string
  objects: number
  rowsWithoutBytes: KeyList
  bytesWithoutRows: KeyList
}

const SHOWN = 20

type Deps = Parameters<typeof guardStorage>[0]

/** `deletes` also deletes files without a row for a week, without a limit. */
export async function reconcileFiles(deps: Deps, deletes: boolean): Promise<{ isGood: boolean; lines: string[] }> {
  const compared = await compareStorage(deps)
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

async function compareStorage({ db, storage, kinds }: Deps): Promise<Compared[]> {
  const compared: Compared[] = []
  for (const kind of kinds) compared.push(await compareKind(db, storage, kind))
  return compared
}

async function compareKind(db: Db, storage: Storage, kind: StoredKind): Promise<Compared> {
  const present = new Set<string>()
  const bytesWithoutRows: KeyList = { count: 0, keys: [] }
  for await (const keys of listKeys(storage, kind)) {
    const named = await kind.named(db, keys)
    for (const key of keys) {
      present.add(key)
      if (!named.has(key)) add(bytesWithoutRows, key)
    }
  }
  const rowsWithoutBytes: KeyList = { count: 0, keys: [] }
  for await (const keys of kind.keys(db))
    for (const key of keys)
      if (!present.has(key) && (await isMissing(db, storage, kind, key))) add(rowsWithoutBytes, key)
  return { label: kind.label, objects: present.size, rowsWithoutBytes, bytesWithoutRows }
}

/** Checked again, because the file may be newer than the listing or its row may be deleted meanwhile. */
async function isMissing(db: Db, storage: Storage, kind: StoredKind, key: string): Promise<boolean> {
  const stored = await storage.read(key)
  await stored?.stream.cancel()
  return !stored && (await kind.named(db, [key])).has(key)
}

function add(found: KeyList, key: string): void {
  found.count += 1
  if (found.keys.length < SHOWN) found.keys.push(key)
}
