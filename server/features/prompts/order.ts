import { asc, desc, lt, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Prompt, PromptFilter } from '#contract/prompts.ts'
import { prompts } from '#server/db/schema.ts'
import { readCursor, writeCursor } from '#server/lib/cursor.ts'

interface Order {
  order: SQL[]
  cursorOf: (prompt: Prompt) => string
  after: (cursor: string) => SQL | undefined
}

type Key = [unknown, ...unknown[]]

interface Keyed<K extends Key> {
  order: SQL[]
  Cursor: z.ZodMiniType<K>
  keyOf: (prompt: Prompt) => K
  after: (key: K) => SQL | undefined
}

const Id = z.string().check(z.regex(/^[\w-]{1,64}$/))
const Name = z.string().check(z.regex(/^[^\0]*$/))
const Offset = z.tuple([z.int32().check(z.minimum(0))])

/** By category and the place in it. */
export const inOrder = [asc(prompts.category), asc(prompts.position), desc(prompts.id)]

/** Each order with the place of a row in it: a page begins below, whatever has come in above meanwhile. */
export const promptOrders: Record<PromptFilter['sort'], Order> = {
  new: keyed({
    order: [desc(prompts.id)],
    Cursor: z.tuple([Id]),
    keyOf: ({ id }) => [id],
    after: ([id]) => lt(prompts.id, id),
  }),
  uses: keyed({
    order: [desc(prompts.uses), desc(prompts.id)],
    Cursor: z.tuple([z.int32(), Id]),
    keyOf: ({ uses, id }) => [uses, id],
    after: ([uses, id]) => sql`(${prompts.uses}, ${prompts.id}) < (${uses}::int, ${id})`,
  }),
  order: keyed({
    order: inOrder,
    Cursor: z.tuple([Name, z.int32(), Id]),
    keyOf: ({ category, position, id }) => [category, position, id],
    after: ([category, position, id]) =>
      sql`((${prompts.category}, ${prompts.position}) > (${category}, ${position}::int)
        or (${prompts.category} = ${category} and ${prompts.position} = ${position}::int and ${prompts.id} < ${id}))`,
  }),
}

function keyed<K extends Key>({ order, Cursor, keyOf, after }: Keyed<K>): Order {
  return {
    order,
    cursorOf: (prompt) => writeCursor(keyOf(prompt)),
    after: (cursor) => after(readCursor(Cursor, cursor)),
  }
}

export const writeOffset = (offset: number) => writeCursor([offset])
export const readOffset = (cursor: string | undefined) => (cursor === undefined ? 0 : readCursor(Offset, cursor)[0])
