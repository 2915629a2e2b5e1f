import { and, asc, desc, eq, ne, not, notInArray, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { DEFAULT_NAME_PROMPT } from '#contract/users.ts'
import type { Db } from '#server/db/client.ts'
import { messages, models, settings, threads } from '#server/db/schema.ts'
import type { Ctx, Publish } from '#server/http/context.ts'
import { type Log, withoutSecrets } from '#server/lib/log.ts'
import { LlmError } from '#server/llm/errors.ts'
import { collectText } from '#server/llm/llm.ts'
import type { Providers } from '#server/llm/providers.ts'
import { type Exchange, writeTitleRequest } from '#server/llm/title-request.ts'
import { publishThread } from './events.ts'
import { cleanTitle, cutExchange } from './title-text.ts'
import { findThread, noSuchThread, openThread } from './to-thread.ts'

export interface TitleDeps {
  db: Db
  publish: Publish
  log: Log
  providers: Providers
  /** The provider's name of the model that names threads; where there is none such, the first there is does. */
  defaultModel: string
}

interface Naming {
  userId: string
  threadId: string
}

const MAX_MS = 45_000
/** A model that has said so much is not naming any more. */
const ENOUGH = 400

/** Names a thread by its first exchange, if its owner wants that and nobody has named it yet. Costs nothing. */
export async function nameThread(deps: TitleDeps, naming: Naming): Promise<void> {
  const thread = await readNaming(deps.db, naming)
  if (thread && wantsName(thread)) await think(deps, naming, thread.prompt)
}

/** The specification's rule, section 4. */
function wantsName({ titleSource, messages, enabled, prompt }: NamingState): boolean {
  return titleSource === 'default' && messages === 2 && enabled && prompt.trim() !== ''
}

/** Names a thread anew because its owner asks for it; gives the title it has then. */
export async function regenerateTitle(ctx: Ctx, deps: Omit<TitleDeps, 'db' | 'publish'>, id: string): Promise<string> {
  const { db, publish, user } = ctx
  const naming = { userId: user.id, threadId: id }
  const thread = await readNaming(db, naming)
  if (!thread) throw noSuchThread()
  if (thread.titleSource !== 'user')
    await think({ ...deps, db, publish }, naming, thread.prompt.trim() || DEFAULT_NAME_PROMPT)
  return (await findThread(db, openThread(user.id, id))).title
}

type NamingState = NonNullable<Awaited<ReturnType<typeof readNaming>>>

async function readNaming(db: Db, { userId, threadId }: Naming) {
  const few = db.select({ id: messages.id }).from(messages).where(eq(messages.threadId, threadId)).limit(3).as('few')
  const [row] = await db
    .select({
      titleSource: threads.titleSource,
      enabled: settings.threadGptNameEnabled,
      prompt: settings.threadGptNamePrompt,
      messages: sql<number>`(select count(*)::int from ${few})`,
    })
    .from(threads)
    .innerJoin(settings, eq(settings.userId, threads.userId))
    .where(openThread(userId, threadId))
  return row
}

async function think(deps: TitleDeps, naming: Naming, prompt: string): Promise<void> {
  const exchange = await firstExchange(deps.db, naming)
  const title = exchange ? cleanTitle(await askModel(deps, naming, prompt, exchange)) : ''
  if (title !== '') await keepTitle(deps, naming, title)
}

async function firstExchange(db: Db, { userId, threadId }: Naming): Promise<Exchange | undefined> {
  const questions = alias(messages, 'questions')
  const [exchange] = await db
    .select({ question: questions.content, answer: messages.content })
    .from(messages)
    .innerJoin(questions, and(eq(questions.id, messages.parentId), eq(questions.role, 'user')))
    .where(
      and(
        eq(messages.threadId, threadId),
        eq(messages.userId, userId),
        eq(messages.role, 'assistant'),
        ne(messages.content, ''),
        notInArray(messages.status, ['streaming', 'failed']),
      ),
    )
    .orderBy(asc(messages.createdAt), asc(messages.id))
    .limit(1)
  return exchange
}

/** A model that fails is a thread that keeps its name: nobody waits for this answer, so nobody is told but the log. */
async function askModel(
  { db, log, providers, defaultModel }: TitleDeps,
  { userId }: Naming,
  prompt: string,
  exchange: Exchange,
) {
  const model = await namingModel(db, defaultModel)
  if (!model) return ''
  const asked = writeTitleRequest(prompt, cutExchange(exchange))
  try {
    const request = { model: model.providerModel, messages: asked, userId }
    return await collectText(providers.llm(model.provider), request, AbortSignal.timeout(MAX_MS), ENOUGH)
  } catch (error) {
    if (!(error instanceof LlmError)) throw error
    const { kind, details } = error
    log.warn({ kind, details: withoutSecrets(details), modelId: model.id }, 'a thread was not named')
    return ''
  }
}

async function namingModel(db: Db, byDefault: string) {
  const isDefault = or(eq(models.id, byDefault), eq(models.providerModel, byDefault))
  const [model] = await db
    .select()
    .from(models)
    .where(and(not(models.hidden), eq(models.kind, 'text')))
    .orderBy(desc(sql`${isDefault}`), asc(models.position), asc(models.id))
    .limit(1)
  return model
}

/** What a person typed meanwhile stays. */
async function keepTitle({ db, publish }: TitleDeps, { userId, threadId }: Naming, title: string): Promise<void> {
  const [named] = await db
    .update(threads)
    .set({ title, titleSource: 'auto', version: sql`${threads.version} + 1` })
    .where(and(openThread(userId, threadId), ne(threads.titleSource, 'user')))
    .returning({ version: threads.version })
  if (named) publishThread(publish, { userId, id: threadId, version: named.version })
}
