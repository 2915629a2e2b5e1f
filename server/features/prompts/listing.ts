import { and, asc, count, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { MAX_SUGGESTIONS, type Prompt, type PromptCategory, type PromptFilter } from '#contract/prompts.ts'
import type { Db } from '#server/db/client.ts'
import { promptFavourites, prompts } from '#server/db/schema.ts'
import { searchWords, withoutYo } from '#server/features/help/search.ts'
import type { Ctx } from '#server/http/context.ts'
import { Page } from '#server/http/route.ts'
import { readCursor, writeCursor } from '#server/lib/cursor.ts'
import { isVisible, selectPrompts, toSelectedPrompt } from './access.ts'

interface Match {
  where: SQL
  /** Best match first. */
  order: SQL[]
}

/**
 * Matches words in any form, the last one as a prefix; titles rank above texts. Prompts with only some of the words
 * match when none in `scope` has all of them.
 */
export async function matchPrompts(db: Db, scope: SQL | undefined, query: string): Promise<Match> {
  const words = lastAsPrefix(searchWords(query))
  const every = matching(words.join(' & '), query)
  const [found] = await db.select({ one: sql`1` }).from(prompts).where(and(scope, every.where)).limit(1)
  return found || words.length < 2 ? every : matching(words.join(' | '), query)
}

/** The last word may still be incomplete. */
function lastAsPrefix(words: string[]): string[] {
  return words.map((word, i) => (i === words.length - 1 ? word.replace(/(?<!\*)\)$/, ':*)') : word))
}

function matching(words: string, query: string): Match {
  const title = sql`translate(lower(${prompts.title}), 'ё', 'е')`
  const inTitle = sql`${title} like ${`%${likeLiteral(query)}%`}`
  if (words === '') return { where: inTitle, order: [sql`${prompts.uses} desc`] }
  const tsQuery = sql`to_tsquery('russian', ${words})`
  return {
    where: sql`(${prompts.search} @@ ${tsQuery} or ${inTitle})`,
    order: [sql`${inTitle} desc`, sql`ts_rank(${prompts.search}, ${tsQuery}) desc`, sql`${prompts.uses} desc`],
  }
}

/** Escapes the wildcards of LIKE. */
export function likeLiteral(query: string): string {
  return withoutYo(query.trim().toLowerCase()).replace(/[\\%_]/g, '\\$&')
}

export async function listPrompts(ctx: Ctx, filter: PromptFilter): Promise<Page<Prompt[]>> {
  const scope = and(isVisible(ctx, filter.view), filter.category ? eq(prompts.category, filter.category) : undefined)
  return filter.query ? foundPage(ctx, scope, filter.query, filter) : sortedPage(ctx, scope, filter)
}

async function sortedPage(ctx: Ctx, scope: SQL | undefined, { sort, limit, cursor }: PromptFilter) {
  const { order, after, cursorOf } = promptOrders[sort]
  const rows = await selectPrompts(ctx.db, ctx.user.id)
    .where(and(scope, cursor === undefined ? undefined : after(cursor)))
    .orderBy(...order)
    .limit(limit + 1)
  const items = rows.slice(0, limit).map(toSelectedPrompt(ctx))
  const last = rows.length > limit ? items.at(-1) : undefined
  return new Page(items, last ? cursorOf(last) : null)
}

/** Pages of a search have an offset as the cursor, because the rank is not a stable key. */
async function foundPage(ctx: Ctx, scope: SQL | undefined, query: string, { limit, cursor }: PromptFilter) {
  const match = await matchPrompts(ctx.db, scope, query)
  const offset = readOffset(cursor)
  const rows = await selectPrompts(ctx.db, ctx.user.id)
    .where(and(scope, match.where))
    .orderBy(...match.order, desc(prompts.id))
    .limit(limit + 1)
    .offset(offset)
  const items = rows.slice(0, limit).map(toSelectedPrompt(ctx))
  return new Page(items, rows.length > limit ? writeOffset(offset + limit) : null)
}

export async function listCategories(ctx: Ctx, view: PromptFilter['view']): Promise<PromptCategory[]> {
  return ctx.db
    .select({ category: prompts.category, count: count() })
    .from(prompts)
    .where(isVisible(ctx, view))
    .groupBy(prompts.category)
    .orderBy(asc(prompts.category))
}

/** For the composer: favourites, then own prompts, then the most used. */
export async function suggestPrompts(ctx: Ctx, query: string): Promise<Prompt[]> {
  const scope = isVisible(ctx)
  const match = query === '' ? null : await matchPrompts(ctx.db, scope, query)
  const begins = sql`translate(lower(${prompts.title}), 'ё', 'е') like ${`${likeLiteral(query)}%`}`
  const rows = await selectPrompts(ctx.db, ctx.user.id)
    .where(and(scope, match?.where))
    .orderBy(
      desc(begins),
      sql`${promptFavourites.promptId} is null`,
      sql`${prompts.userId} is not distinct from ${ctx.user.id} desc`,
      ...(match?.order ?? [desc(prompts.uses)]),
      asc(prompts.category),
      asc(prompts.position),
      desc(prompts.id),
    )
    .limit(MAX_SUGGESTIONS)
  return rows.map(toSelectedPrompt(ctx))
}

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

export const promptsInOrder = [asc(prompts.category), asc(prompts.position), desc(prompts.id)]

/** Each sort order with its cursor, the sort key of the last row: new prompts do not shift the next page. */
const promptOrders: Record<PromptFilter['sort'], Order> = {
  new: keysetOrder({
    order: [desc(prompts.id)],
    Cursor: z.tuple([Id]),
    keyOf: ({ id }) => [id],
    after: ([id]) => lt(prompts.id, id),
  }),
  uses: keysetOrder({
    order: [desc(prompts.uses), desc(prompts.id)],
    Cursor: z.tuple([z.int32(), Id]),
    keyOf: ({ uses, id }) => [uses, id],
    after: ([uses, id]) => sql`(${prompts.uses}, ${prompts.id}) < (${uses}::int, ${id})`,
  }),
  order: keysetOrder({
    order: promptsInOrder,
    Cursor: z.tuple([Name, z.int32(), Id]),
    keyOf: ({ category, position, id }) => [category, position, id],
    after: ([category, position, id]) =>
      sql`((${prompts.category}, ${prompts.position}) > (${category}, ${position}::int)
        or (${prompts.category} = ${category} and ${prompts.position} = ${position}::int and ${prompts.id} < ${id}))`,
  }),
}

function keysetOrder<K extends Key>({ order, Cursor, keyOf, after }: Keyed<K>): Order {
  return {
    order,
    cursorOf: (prompt) => writeCursor(keyOf(prompt)),
    after: (cursor) => after(readCursor(Cursor, cursor)),
  }
}

const writeOffset = (offset: number) => writeCursor([offset])
const readOffset = (cursor: string | undefined) => (cursor === undefined ? 0 : readCursor(Offset, cursor)[0])
