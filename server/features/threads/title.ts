import { and, asc, desc, eq, isNull, ne, not, notInArray, or, type Placeholder, sql } from 'drizzle-orm'
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core'
import * as z from 'zod/mini'
import { plainTitle } from '#contract/markdown/without-marks.ts'
import { createMask } from '#contract/mask.ts'
import { AROUND_CUT } from '#contract/personal-data.ts'
import { DEFAULT_NAME_PROMPT } from '#contract/users.ts'
import type { Db } from '#server/db/client.ts'
import { assistants, messages, models, projects, settings, threads } from '#server/db/schema.ts'
import { preparedOnce, statement, type Value } from '#server/db/statement.ts'
import type { Ctx, Publish } from '#server/http/context.ts'
import type { Log } from '#server/lib/log.ts'
import { cutAtWord, withoutDanglingEnd } from '#server/lib/whole-words.ts'
import { LlmError } from '#server/llm/errors.ts'
import { collectText, type LlmMessage, withoutThought } from '#server/llm/llm.ts'
import type { Providers } from '#server/llm/providers.ts'
import { maskingSettingsIn, openMasking } from '../answers/masking.ts'
import { isInCountry, type ProviderCountries } from '../models/countries.ts'
import { withRecordedCost } from '../models/side-costs.ts'
import { findThread, noSuchThread, openThread, publishThread } from './to-thread.ts'

export interface TitleDeps {
  db: Db
  publish: Publish
  log: Log
  providers: Providers
  /** Id or provider name of the model that names threads. If it is missing, the first visible text model is used. */
  defaultModel: string
}

interface Naming {
  userId: string
  threadId: string
}

const MAX_MS = 45_000
/** Reading stops after this many symbols: a longer text is not a title. */
const MAX_REPLY_SYMBOLS = 400

/** Names a thread by its first exchange, if the setting is on and the title is still the default. Free of charge. */
export async function nameThread(deps: TitleDeps, naming: Naming): Promise<void> {
  const thread = await readNaming(deps.db, naming)
  if (thread && needsName(thread)) await writeTitle(deps, naming, thread, thread.prompt)
}

function needsName({ titleSource, temporary, messages, enabled, prompt }: NamingState): boolean {
  return !temporary && titleSource === 'default' && messages === 2 && enabled && prompt.trim() !== ''
}

/** Called by the owner. Returns the title, which stays the same if the user typed it or the model fails. */
export async function regenerateTitle(ctx: Ctx, deps: Omit<TitleDeps, 'db' | 'publish'>, id: string): Promise<string> {
  const { db, publish, user } = ctx
  const naming = { userId: user.id, threadId: id }
  const thread = await readNaming(db, naming)
  if (!thread) throw noSuchThread()
  if (thread.titleSource !== 'user' && !thread.temporary)
    await writeTitle({ ...deps, db, publish }, naming, thread, thread.prompt.trim() || DEFAULT_NAME_PROMPT)
  return (await findThread(db, openThread(user.id, id))).title
}

type NamingState = NonNullable<Awaited<ReturnType<typeof readNaming>>>

async function readNaming(db: Db, { userId, threadId }: Naming) {
  const [row] = await selectNaming(db).execute({ userId, threadId })
  return row
}

const selectNaming = preparedOnce((db) =>
  namingQuery(db, { threadId: sql.placeholder('threadId'), userId: sql.placeholder('userId') }).prepare(
    'thread_naming',
  ),
)

type NamingValues = Record<keyof Naming, string | Placeholder>

export function namingQuery(db: Db, { threadId, userId }: NamingValues) {
  const few = db.select({ id: messages.id }).from(messages).where(eq(messages.threadId, threadId)).limit(3).as('few')
  const exchange = firstExchange(db, { threadId, userId })
  return db
    .select({
      titleSource: threads.titleSource,
      temporary: threads.temporary,
      enabled: settings.threadGptNameEnabled,
      prompt: settings.threadGptNamePrompt,
      maskPersonal: settings.maskPersonal,
      maskedNames: settings.maskedNames,
      country: assistants.country,
      projectCountry: projects.country,
      messages: sql<number>`(select count(*)::int from ${few})`,
      question: exchange.question,
      answer: exchange.answer,
    })
    .from(threads)
    .innerJoin(settings, eq(settings.userId, threads.userId))
    .leftJoin(assistants, and(eq(assistants.id, threads.assistantId), eq(assistants.userId, threads.userId)))
    .leftJoin(projects, and(eq(projects.id, threads.projectId), eq(projects.userId, threads.userId)))
    .leftJoinLateral(exchange, sql`true`)
    .where(and(eq(threads.id, threadId), eq(threads.userId, userId), isNull(threads.deletedAt)))
}

/**
 * The beginnings of question and answer, from which a title is written. The thread is selected by its id and not by the
 * column of the outer query: only then does Postgres use the time order of the index instead of reading all messages.
 */
function firstExchange(db: Db, { threadId, userId }: NamingValues) {
  const questions = alias(messages, 'questions')
  const beginning = (text: AnyPgColumn) => sql<string>`left(${text}, ${MAX_SYMBOLS + AROUND_CUT})`
  return db
    .select({ question: beginning(questions.content).as('question'), answer: beginning(messages.content).as('answer') })
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
    .as('exchange')
}

type NamingTerms = Pick<NamingState, 'country' | 'projectCountry' | 'maskPersonal' | 'maskedNames'>

async function writeTitle(deps: TitleDeps, naming: Naming, thread: NamingState, prompt: string): Promise<void> {
  const { question, answer } = thread
  if (question === null || answer === null) return
  const title = cleanTitle(await suggestTitle(deps, naming, thread, prompt, { question, answer }))
  if (title !== '') await saveTitle(deps, naming, title)
}

/** A failed call is only logged, because the thread is fine without a generated name. */
async function suggestTitle(
  { db, log, providers, defaultModel }: TitleDeps,
  { userId }: Naming,
  terms: NamingTerms,
  prompt: string,
  exchange: Exchange,
) {
  const model = await namingModel(db, defaultModel, providers, [terms.country, terms.projectCountry])
  if (!model) return ''
  const messages = writeTitleRequest(prompt, cutExchange(exchange, terms.maskedNames))
  try {
    const request = { model: model.providerModel, messages, userId, ...withoutThought(model) }
    const llm = openMasking(providers, maskingSettingsIn(terms), messages).guard(model, providers.llm(model.provider))
    const counted = withRecordedCost(db, { kind: 'title', userId, model }, llm)
    return await collectText(counted, request, AbortSignal.timeout(MAX_MS), MAX_REPLY_SYMBOLS)
  } catch (error) {
    if (!(error instanceof LlmError)) throw error
    log.warn({ err: error, modelId: model.id }, 'thread titles: the model call failed')
    return ''
  }
}

export interface Exchange {
  question: string
  answer: string
}

const TITLE_HEAD = 'Начало беседы, которой нужно название.'
const ASKED = '\n\nВопрос: '
const ANSWERED = '\n\nОтвет: '

export function writeTitleRequest(instructions: string, { question, answer }: Exchange): LlmMessage[] {
  return [
    { role: 'system', content: instructions },
    { role: 'user', content: TITLE_HEAD + ASKED + question + ANSWERED + answer },
  ]
}

/** A thread whose assistant or project is bound to a country is named only by models of that country. */
async function namingModel(db: Db, byDefault: string, of: ProviderCountries, countries: (string | null)[]) {
  const visible = await selectModels(db).execute({ byDefault })
  return visible.find((model) => countries.every((country) => isInCountry(of, country, model)))
}

const selectModels = preparedOnce((db) => {
  const byDefault = sql.placeholder('byDefault')
  const isDefault = or(eq(models.id, byDefault), eq(models.providerModel, byDefault))
  const isHeir = sql`exists (select 1 from models gone where gone.successor_id = ${models.id} and gone.hidden
    and (gone.id = ${byDefault} or gone.provider_model = ${byDefault}))`
  return db
    .select()
    .from(models)
    .where(and(not(models.hidden), eq(models.kind, 'text')))
    .orderBy(desc(sql`${isDefault}`), desc(isHeir), asc(models.position), asc(models.id))
    .prepare('naming_models')
})

/** Does not overwrite a title that the user typed meanwhile. */
async function saveTitle({ db, publish }: TitleDeps, { userId, threadId }: Naming, title: string): Promise<void> {
  const [named] = await storeTitle(db, { title, threadId, userId })
  if (named) publishThread(publish, { userId, id: threadId, version: named.version })
}

const storeTitle = statement(
  'thread_title',
  (value: Value<'title' | 'threadId' | 'userId'>) => sql`
    update ${threads} set title = ${value('title')}, title_source = 'auto', version = version + 1
    where id = ${value('threadId')} and user_id = ${value('userId')} and deleted_at is null and title_source <> 'user'
    returning version`,
  z.object({ version: z.int() }),
)

const MAX_EXCHANGE_WORDS = 250
const MAX_QUESTION_WORDS = 150
/** A text without spaces counts as one word, so the length is limited too. */
const MAX_SYMBOLS = 4000
const MAX_TITLE_SYMBOLS = 80

/** Shortens the exchange to 250 words, at least 100 of them for the answer. No cut leaves a part of a hidden value. */
export function cutExchange({ question, answer }: Exchange, maskedNames: readonly string[] = []): Exchange {
  const { cut } = createMask(maskedNames)
  const firstWords = (text: string, most: number) => {
    const words = wordsOf(cut(text, MAX_SYMBOLS))
    return cut(words.join(' '), words.slice(0, most).join(' ').length).trimEnd()
  }
  const cutQuestion = firstWords(question, MAX_QUESTION_WORDS)
  return { question: cutQuestion, answer: firstWords(answer, MAX_EXCHANGE_WORDS - wordsOf(cutQuestion).length) }
}

const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean)

/** The reply of a model as a title: one line without Markdown marks, surrounding quotes or a final period. */
export function cleanTitle(reply: string): string {
  const line = plainTitle(reply.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, MAX_REPLY_SYMBOLS))
    .replace(/^[*_`]+|[*_` ]+$/g, '')
    .replace(/^(название|заголовок|title): ?/i, '')
  return finish(unquote(line))
}

const quotePairs = [/^«([^«»]*)»$/, /^"([^"]*)"$/, /^“([^“”]*)”$/, /^„([^„“”]*)[“”]$/, /^'([^']*)'$/]

/** Removes a pair of quotes only if there are no quotes inside, and a final period but not an ellipsis. */
function unquote(title: string): string {
  const bare = title.replace(/(?<!\.)\.$/, '').trim()
  const inner = quotePairs.map((quotes) => quotes.exec(bare)?.[1]).find((text) => text !== undefined) ?? bare
  return inner === title ? title : unquote(inner)
}

/** Shortens a title that is too long or ends in an incomplete phrase, and adds «…». */
function finish(title: string): string {
  if (title.length > MAX_TITLE_SYMBOLS) return cutAtWord(title, MAX_TITLE_SYMBOLS)
  const whole = withoutDanglingEnd(title, false)
  return wordsOf(whole).length < wordsOf(title).length ? `${whole}…` : title
}
