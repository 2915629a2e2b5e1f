import { and, asc, eq } from 'drizzle-orm'
import { type WebQuote, webSearchApi } from '#contract/web-search.ts'
import type { Db } from '#server/db/client.ts'
import { messages, webPassages } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { type App, route } from '#server/http/route.ts'
import { notFound } from '#server/lib/errors.ts'

const { messageId: _, ...columns } = {
  messageId: webPassages.messageId,
  n: webPassages.n,
  url: webPassages.url,
  title: webPassages.title,
  site: webPassages.site,
  date: webPassages.date,
  text: webPassages.text,
}

export const storedPassages = (db: Db, messageId: string) =>
  db.select(columns).from(webPassages).where(eq(webPassages.messageId, messageId)).orderBy(asc(webPassages.n))

/** The passage that a number in the caller's own answer cites. */
async function readQuote({ db, user }: Ctx, threadId: string, messageId: string, n: number): Promise<WebQuote> {
  const [quote] = await db
    .select(columns)
    .from(webPassages)
    .innerJoin(messages, eq(messages.id, webPassages.messageId))
    .where(
      and(
        eq(webPassages.messageId, messageId),
        eq(webPassages.n, n),
        eq(messages.threadId, threadId),
        eq(messages.userId, user.id),
      ),
    )
  if (!quote) throw notFound('У этого ответа нет такого источника.')
  return quote
}

export function webSearchRoutes(app: App) {
  route(app, webSearchApi.quote, (ctx, { params }) =>
    readQuote(ctx, params.id, params.messageId, /^\d{1,6}$/.test(params.n) ? Number(params.n) : 0),
  )
}
