import { and, eq, inArray } from 'drizzle-orm'
import { PASSAGE_SYMBOLS } from '#contract/assistants.ts'
import { countSymbols } from '#contract/billing.ts'
import { type Citation, type InputParts, inputOf } from '#contract/threads.ts'
import { DETAILED_SEARCH } from '#contract/web-search.ts'
import type { Db } from '#server/db/client.ts'
import { filePassages, files } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { AppError } from '#server/lib/errors.ts'
import type { LlmImage, LlmMessage } from '#server/llm/llm.ts'
import { type FoundPassages, type PassageQuery, type PromptPassage, writePassageBlock } from '../knowledge/retrieve.ts'
import { writeSummaryBlock } from '../summaries/stored.ts'
import { type NumberedWebPassage, writeWebBlock } from '../web-search/read-pages.ts'
import { type MaskingSettings, maskFor } from './masking.ts'

export interface PromptMessage {
  /** Only a stored message has one. */
  id?: string
  role: 'user' | 'assistant'
  content: string
  /** Texts of its documents, already wrapped for the model. */
  documents: string[]
  imageSymbols: number
  images: LlmImage[]
}

/** Passages of a project's files follow those of an assistant's files. */
export type CitedPassage = Citation & PromptPassage & { isOfProject?: boolean }

export interface SentSummary {
  id: string
  text: string
  messages: number
}

export interface PromptParams {
  /** Earlier messages, oldest first, already cut to the settings. */
  history: PromptMessage[]
  /** Sent instead of the messages before the history. */
  summary?: SentSummary | null
  question: PromptMessage
  /** The answer so far, when it is to be continued. */
  begun: string
  /** Of the assistant. */
  instructions: string
  /** Of the project; they come after those of the assistant. */
  project?: string
  /** The person's own instructions; they come last. */
  personal: string
  /** Passages found in the files of the assistant, then in those of the project, best first. */
  passages: readonly CitedPassage[]
  /** Passages of pages of the web; their numbers follow those of the files. */
  web?: readonly NumberedWebPassage[]
  /** Symbols of the search words that are paid for with this answer. */
  searchWords?: number
  /** The most symbols that they may take. */
  webSymbols?: number
  /** Null when unlimited. */
  contextSymbols: number | null
  maxOutputSymbols: number | null
}

export interface Prompt {
  messages: LlmMessage[]
  parts: InputParts
  /** The passages that were included. */
  citations: Citation[]
  /** The sum of the parts: the billed input. */
  input: number
}

const CONTINUE = 'Продолжи свой ответ ровно с того места, где он оборвался. Не повторяй сказанное и не извиняйся.'
/** The share of the window reserved for the answer when the model has no output limit. */
const OUTPUT_SHARE = 0.25
/** The share of the space beside the question that passages may take; the rest is for earlier messages. */
const PASSAGE_SHARE = 0.5

/**
 * Builds the prompt and counts the symbols of its parts. What does not fit is left out: the oldest messages and the
 * worst passages first. Passages are data, so they go into the user message and not into the instructions.
 */
export function composePrompt(params: PromptParams): Prompt {
  const { question, begun, instructions, project = '', personal } = params
  const own = fixedSize({ ...params, summary: null })
  const limit = inputLimit(params)
  if (own > limit) throw tooLong(limit)
  // A summary that does not fit is left out like messages that do not.
  const fits = fixedSize(params) <= limit
  const summary = writeSummaryBlock(fits ? (params.summary?.text ?? '') : '')
  const fixed = own + countSymbols(summary)
  const ofAssistant = fittingPassages(
    params.passages.filter(({ isOfProject }) => !isOfProject),
    passageLimit(params),
  )
  const ofProject = fittingPassages(
    params.passages.filter(({ isOfProject }) => isOfProject),
    passageLimit(params, ofAssistant),
    ofAssistant,
  )
  const passages = [...ofAssistant, ...ofProject]
  const fileBlock = writePassageBlock(passages)
  const assistantBlock = countSymbols(writePassageBlock(ofAssistant))
  const projectBlock = countSymbols(fileBlock) - assistantBlock
  const web = fittingWeb(params.web ?? [], webLimit(params, fileBlock))
  const webBlock = writeWebBlock(web)
  const block = [fileBlock, webBlock].filter(Boolean).join('\n\n')
  const filled = params.history.filter((message) => sizeOf(message) > 0)
  const history = fitting(filled, limit - fixed - countSymbols(block))
  const parts: InputParts = {
    question: countSymbols(question.content),
    history: total(history) + countSymbols(begun),
    historyMessages: history.length + (begun ? 1 : 0),
    cutMessages: filled.length - history.length + (fits ? 0 : (params.summary?.messages ?? 0)),
    instructions: countSymbols(instructions),
    files: filesSize(question),
    passages: assistantBlock,
    ...(project !== '' && { project: countSymbols(project) }),
    ...(projectBlock > 0 && { projectPassages: projectBlock }),
    personal: countSymbols(personal),
    ...(webBlock && { web: countSymbols(webBlock) }),
    ...(summary !== '' && { summary: countSymbols(summary) }),
    ...(params.searchWords && { searchWords: params.searchWords }),
  }
  const system = [instructions, project, personal].filter(Boolean).join('\n\n')
  return {
    messages: [
      ...(system ? [{ role: 'system' as const, content: system }] : []),
      ...afterSummary(summary, [...history.map((message) => toLlmMessage(message)), toLlmMessage(question, block)]),
      ...(begun ? continuation(begun) : []),
    ],
    parts,
    citations: [...passages.map(citationOf), ...web.map(webCitationOf)],
    input: inputOf(parts),
  }
}

const fixedSize = ({ question, begun, instructions, project, personal, summary }: Omit<PromptParams, 'passages'>) =>
  sizeOf(question) +
  countSymbols(begun) +
  countSymbols(instructions) +
  countSymbols(project ?? '') +
  countSymbols(personal) +
  countSymbols(writeSummaryBlock(summary?.text ?? ''))

/** Joins the summary with the next question, because some providers require questions and answers to alternate. */
function afterSummary(summary: string, messages: LlmMessage[]): LlmMessage[] {
  const [first, ...rest] = messages
  if (summary === '' || !first) return messages
  if (first.role !== 'user') return [{ role: 'user', content: summary }, ...messages]
  return [{ ...first, content: `${summary}\n\n${first.content}` }, ...rest]
}

/** What passages of one library may take beside those of another one that stand before them. */
export function passageLimit(params: Omit<PromptParams, 'passages'>, before: readonly PromptPassage[] = []): number {
  const space = Math.floor((inputLimit(params) - fixedSize(params)) * PASSAGE_SHARE)
  return Math.max(0, Math.min(PASSAGE_SYMBOLS, space - countSymbols(writePassageBlock(before))))
}

const citationOf = ({ n, passageId, fileId, fileName, place }: CitedPassage): Citation => ({
  n,
  passageId,
  fileId,
  fileName,
  place,
})

/** How many symbols pages of the web may take beside the passages of files. */
export function webLimit(params: Omit<PromptParams, 'passages' | 'web'>, fileBlock = ''): number {
  const left = inputLimit(params) - fixedSize(params) - countSymbols(fileBlock)
  return Math.max(0, Math.min(params.webSymbols ?? DETAILED_SEARCH.symbols, Math.floor(left * PASSAGE_SHARE)))
}

function fittingWeb(passages: readonly NumberedWebPassage[], limit: number): readonly NumberedWebPassage[] {
  let fit = passages
  while (fit.length > 0 && countSymbols(writeWebBlock(fit)) > limit) fit = fit.slice(0, -1)
  return fit
}

/** Title and site fill the fields of a file as well, so that lists of citations need not tell them apart. */
const webCitationOf = ({ n, url, site, title, date }: NumberedWebPassage): Citation => ({
  n,
  passageId: `web-${n}`,
  fileId: '',
  fileName: title,
  place: site,
  web: { url, site, title, date },
})

const continuation = (begun: string): LlmMessage[] => [
  { role: 'assistant', content: begun },
  { role: 'user', content: CONTINUE },
]

/** What the block grows by is at most the limit. */
function fittingPassages(
  passages: readonly CitedPassage[],
  limit: number,
  before: readonly CitedPassage[] = [],
): readonly CitedPassage[] {
  const most = limit + countSymbols(writePassageBlock(before))
  let fit = passages
  while (fit.length > 0 && countSymbols(writePassageBlock([...before, ...fit])) > most) fit = fit.slice(0, -1)
  return fit
}

/** The most symbols that a prompt of a model may have. */
export function inputLimit({
  contextSymbols,
  maxOutputSymbols,
}: Pick<PromptParams, 'contextSymbols' | 'maxOutputSymbols'>): number {
  if (contextSymbols === null) return Number.MAX_SAFE_INTEGER
  const wanted = Math.floor(contextSymbols * OUTPUT_SHARE)
  return contextSymbols - Math.min(maxOutputSymbols ?? wanted, wanted)
}

function fitting(history: PromptMessage[], limit: number): PromptMessage[] {
  let left = limit
  const first = history.findLastIndex((message) => {
    left -= sizeOf(message)
    return left < 0
  })
  return history.slice(first + 1)
}

const filesSize = ({ documents, imageSymbols }: PromptMessage) =>
  documents.reduce((sum, text) => sum + countSymbols(text), imageSymbols)
const sizeOf = (message: PromptMessage) => countSymbols(message.content) + filesSize(message)
const total = (history: PromptMessage[]) => history.reduce((sum, message) => sum + sizeOf(message), 0)

function toLlmMessage({ role, content, documents, images }: PromptMessage, block = ''): LlmMessage {
  const text = [block, ...documents, content].filter(Boolean).join('\n\n')
  return images.length > 0 ? { role, content: text, images } : { role, content: text }
}

function tooLong(limit: number): AppError {
  return new AppError(
    'bad_request',
    `Сообщение вместе с файлами не помещается в модель: для неё это не больше ${new Intl.NumberFormat('ru-RU').format(limit)} символов. Сократите его или выберите другую модель.`,
    { field: 'content' },
  )
}

/** Searches the files of an assistant or a project for passages about a question: at most `most` symbols, best first. */
export type FindPassages = (ctx: Pick<Ctx, 'db'>, ask: PassageQuery) => Promise<FoundPassages>

/** A question shorter than this is searched together with the previous one: «А для двоих?» */
const SHORT_QUESTION = 60

export function searchText(question: string, history: readonly Pick<PromptMessage, 'role' | 'content'>[]): string {
  const own = question.trim()
  if (own.length >= SHORT_QUESTION) return own
  const before = history.findLast(({ role }) => role === 'user')?.content.trim()
  return before ? `${before}\n${own}`.trim() : own
}

/** The share of the passage limit for passage texts; the rest is for the headings around them. */
const TEXT_SHARE = 0.83

/** Files of an assistant or a project that are searched for a question. */
export interface SearchedLibrary {
  id: string
  isProject: boolean
  /** A model may write search words for it. */
  usesWords: boolean
}

export interface FreshSearch {
  /** In the order in which their passages are numbered. */
  libraries: readonly SearchedLibrary[]
  /** What a model wrote to search for the question. */
  searchWords?: string | undefined
  maskingSettings?: MaskingSettings
}

/** Passages for a new answer, numbered from one. */
export async function freshPassages(
  ctx: Pick<Ctx, 'db'>,
  find: FindPassages,
  { libraries, searchWords, maskingSettings = null }: FreshSearch,
  params: Omit<PromptParams, 'passages'>,
): Promise<{ passages: CitedPassage[]; canUseWords: boolean }> {
  const question = searchText(params.question.content, params.history)
  const mask = maskFor(maskingSettings) ?? undefined
  const passages: CitedPassage[] = []
  let canUseWords = false
  for (const { id: libraryId, isProject, usesWords } of libraries) {
    const most = Math.floor(passageLimit(params, passages) * TEXT_SHARE)
    const words = usesWords ? searchWords : undefined
    const found = await find(ctx, { libraryId, question, searchWords: words, most, mask })
    const from = passages.length
    passages.push(
      ...found.passages.map((passage, i) => ({ n: from + i + 1, ...passage, ...(isProject && { isOfProject: true }) })),
    )
    canUseWords ||= usesWords && (found.canUseWords ?? false)
  }
  return { passages, canUseWords }
}

/** Passages for a continued answer: the same ones under the same numbers, because its text may already cite them. */
export async function samePassages(
  db: Db,
  libraries: readonly SearchedLibrary[],
  citations: readonly Citation[],
): Promise<CitedPassage[]> {
  const ofFiles = citations.filter(({ web }) => !web)
  if (ofFiles.length === 0) return []
  const ids = ofFiles.map(({ passageId }) => passageId)
  const rows = await db
    .select({
      ...{ id: filePassages.id, text: filePassages.text, section: filePassages.section },
      libraryId: files.libraryId,
    })
    .from(filePassages)
    .innerJoin(files, eq(files.id, filePassages.fileId))
    .where(
      and(
        inArray(filePassages.id, ids),
        inArray(
          files.libraryId,
          libraries.map(({ id }) => id),
        ),
      ),
    )
  const ofProject = libraries.find(({ isProject }) => isProject)?.id
  const known = new Map(rows.map((row) => [row.id, row]))
  return ofFiles.flatMap((citation) => {
    const row = known.get(citation.passageId)
    if (!row) return []
    const { text, section } = row
    return [{ ...citation, text, section, ...(row.libraryId === ofProject && { isOfProject: true }) }]
  })
}
