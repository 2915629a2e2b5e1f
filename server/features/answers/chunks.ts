import { and, asc, eq, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Db } from '#server/db/client.ts'
import { messageChunks, type thoughtChunks } from '#server/db/schema.ts'
import { byVariant, statement, type Value } from '#server/db/statement.ts'

/** Where the parts of a running answer's text and thought are. */
export type ChunkTable = 'message_chunks' | 'thought_chunks'

/** A part of an answer's text, between two lengths of the whole text. */
export interface Chunk {
  id: string
  /** The run that wrote it. */
  hold: string
  at: number
  upto: number
  text: string
}

/**
 * Appends text to running answers and returns the ids of those still owned by this run. The message row is locked while
 * its run is checked, so no text is added to an answer that another process has ended or continues.
 */
export async function storeChunks(db: Db, chunks: Chunk[], table: ChunkTable = 'message_chunks'): Promise<Set<string>> {
  const column = <Key extends keyof Chunk>(key: Key) => chunks.map((chunk) => chunk[key])
  const rows = await chunkStatements(table)(db, {
    ids: column('id'),
    holds: column('hold'),
    ats: column('at'),
    uptos: column('upto'),
    texts: column('text'),
  })
  return new Set(rows.map((row) => row.message_id))
}

const ChunkOwner = z.object({ message_id: z.string() })

const chunkStatements = byVariant((table: ChunkTable) =>
  statement(
    'chunks',
    (value: Value<'ids' | 'holds' | 'ats' | 'uptos' | 'texts'>) => sql`
    with written as (
      select * from unnest(${value('ids')}::text[], ${value('holds')}::text[], ${value('ats')}::int[],
        ${value('uptos')}::int[], ${value('texts')}::text[]) as w(id, hold, at, upto, text)
    ), owned as (
      select m.id from messages m join written w on w.id = m.id
      where m.status = 'streaming' and m.run->>'hold' = w.hold
      for share of m
    )
    insert into ${sql.identifier(table)} as chunk (message_id, at, upto, text)
    select w.id, w.at, w.upto, w.text from written w join owned on owned.id = w.id
    on conflict (message_id, at) do update set upto = excluded.upto, text = excluded.text
      where excluded.upto >= chunk.upto
    returning message_id`,
    ChunkOwner,
  ),
)

/** The stored chunks of a running answer that reach beyond a length. */
export function readChunks(
  db: Db,
  messageId: string,
  beyond = 0,
  table: typeof messageChunks | typeof thoughtChunks = messageChunks,
) {
  const { at, upto, text } = table
  return db
    .select({ at, upto, text })
    .from(table)
    .where(and(eq(table.messageId, messageId), sql`${upto} > ${beyond}`))
    .orderBy(asc(at))
}
