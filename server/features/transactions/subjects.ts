import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Transaction } from '#contract/transactions.ts'
import type { Db } from '#server/db/client.ts'
import { files, minutes, scanPages, threads, transcriptions } from '#server/db/schema.ts'

/** An entry with the key that it was written under; the second part of the key of a hold is an id. */
export type KeyedEntry = Pick<Transaction, 'id' | 'kind' | 'threadId'> & { key: string }

type Names = Map<string, string>
type Find = (db: Db, userId: string, ids: string[]) => Promise<{ id: string; name: string }[]>

/** How the id of an entry becomes a name. Names are read from where they live: the ledger outlives them. */
const finders: Partial<Record<Transaction['kind'], Find>> = {
  answer: ofThreads,
  summary: ofThreads,
  image: ofThreads,
  transcription: named(transcriptions, transcriptions.title),
  indexing: named(files, files.name),
  scan: (db, userId, ids) =>
    db
      .select({ id: scanPages.id, name: files.name })
      .from(scanPages)
      .innerJoin(files, eq(files.id, scanPages.fileId))
      .where(and(eq(scanPages.userId, userId), inArray(scanPages.id, ids))),
  minutes: (db, userId, ids) =>
    db
      .select({ id: minutes.id, name: transcriptions.title })
      .from(minutes)
      .innerJoin(transcriptions, eq(transcriptions.id, minutes.transcriptionId))
      .where(and(eq(minutes.userId, userId), inArray(minutes.id, ids))),
}

function named(table: PgTable & { id: PgColumn; userId: PgColumn }, name: PgColumn): Find {
  return async (db, userId, ids) => {
    const own = and(eq(table.userId, userId), inArray(table.id, ids))
    return (await db
      .select({ id: table.id, name })
      .from(table as PgTable)
      .where(own)) as { id: string; name: string }[]
  }
}

/** A temporary chat has no title of its own, and one in the trash cannot be opened. */
function ofThreads(db: Db, userId: string, ids: string[]) {
  const own = and(eq(threads.userId, userId), inArray(threads.id, ids))
  return db
    .select({ id: threads.id, name: threads.title })
    .from(threads)
    .where(and(own, eq(threads.temporary, false), isNull(threads.deletedAt)))
}

/** What the entries of a person were paid for, by their names. Only for this person: admins see no names. */
export async function subjectsOf(db: Db, userId: string, entries: KeyedEntry[]): Promise<Names> {
  const kinds = [...new Set(entries.map(({ kind }) => kind))]
  const found = await Promise.all(
    kinds.map(async (kind) => {
      const ofKind = entries
        .filter((entry) => entry.kind === kind)
        .map((entry) => [entry.id, subjectId(entry)] as const)
      const ids = [...new Set(ofKind.map(([, id]) => id))].filter((id) => id !== null)
      const rows = ids.length > 0 ? await finders[kind]?.(db, userId, ids) : []
      const names = new Map(rows?.map(({ id, name }) => [id, name]))
      return ofKind.flatMap(([entry, id]) => {
        const name = names.get(id ?? '')
        return name === undefined ? [] : [[entry, name] as const]
      })
    }),
  )
  return new Map(found.flat())
}

const subjectId = ({ key, threadId }: KeyedEntry): string | null =>
  threadId ?? (key.startsWith('hold:') ? (key.split(':')[2] ?? null) : null)
