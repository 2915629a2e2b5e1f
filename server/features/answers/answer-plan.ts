import { eq } from 'drizzle-orm'
import type { Thinking } from '#contract/models.ts'
import { toWebOptions, type WebUse, webSymbols } from '#contract/web-search.ts'
import { type AnswerRun, models } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import { newId } from '#server/lib/ids.ts'
import type { Depth } from '#server/llm/llm.ts'
import type { Providers } from '#server/llm/providers.ts'
import { lowerRates } from '../billing/meter.ts'
import { storedSearchWords } from '../knowledge/search-words.ts'
import { isInCountry } from '../models/countries.ts'
import type { ModelRow } from '../models/models.ts'
import type { MessageRow } from '../threads/message-rows.ts'
import { searchNote } from '../web-search/deps.ts'
import type { WebFindings } from '../web-search/find-in-web.ts'
import { storedPassages } from '../web-search/quotes.ts'
import type { NumberedWebPassage } from '../web-search/read-pages.ts'
import { type AnswerInput, type RequestedWeb, runMarks } from './begin.ts'
import type { AnswerContext, AnswerLibrary } from './context.ts'
import type { AnswersDeps } from './deps.ts'
import { joinNotes } from './finish.ts'
import { type Masking, type MaskingSettings, openMasking } from './masking.ts'
import {
  type CitedPassage,
  composePrompt,
  type FindPassages,
  freshPassages,
  type Prompt,
  type PromptParams,
  type SearchedLibrary,
  samePassages,
  searchText,
} from './prompt.ts'
import type { AnswerPlan } from './run-state.ts'

/** What is decided about a text answer. Each step returns the next plan; none changes the plan it gets. */
export interface TextPlan extends AnswerPlan {
  /** Answers when the model fails before its first text. */
  fallback: ModelRow | null
  /** Its messages are emptied when the model has begun: an answer may take minutes, and a prompt may be large. */
  prompt: Prompt
  masking: Masking
  maskingSettings: MaskingSettings
  thinking: Thinking | undefined
  /** How many tokens the model may think beyond the length of its answer. */
  thoughtTokens: number
  /** Search words to be written before the files are searched again; null when none are needed. */
  search: SearchPlan | null
  /** What is read on the web before the model is called; null when nothing is left to read. */
  web: WebPlan | null
}

export interface SearchPlan {
  libraries: readonly SearchedLibrary[]
  /** What the prompt is composed of, to compose it again with other passages. */
  promptParams: PromptParams
  /** The words are stored for the same question; those of a temporary chat are not. */
  isStored: boolean
}

/** Those for which search words are written and stored. */
export const wordLibraries = (libraries: readonly SearchedLibrary[]): string[] =>
  libraries.filter(({ usesWords }) => usesWords).map(({ id }) => id)

export interface WebPlan {
  options: RequestedWeb
  /** What the prompt is composed of, to compose it again with the pages. */
  promptParams: PromptParams
}

/** The web use of an answer before anything is found. */
export const pendingWeb = ({ options }: WebPlan): WebUse => ({
  ...{ query: null, hasFound: false, price: 0, unread: [], request: options, pending: true },
})

/** In tokens. */
export const thoughtBudget: Record<Depth, number> = {
  ...{ none: 0, usual: 8000, more: 16_000, most: 32_000 },
  ...{ minimal: 2000, low: 4000, xhigh: 32_000, max: 32_000 },
}

export async function planText(
  ctx: Ctx,
  { providers, findPassages }: Pick<AnswersDeps, 'providers' | 'findPassages'>,
  context: AnswerContext,
  input: AnswerInput,
  messageId: string,
): Promise<TextPlan> {
  const { model } = context
  const { continued } = input
  const maskingSettings = input.asIs ? null : context.maskingSettings
  const options = (!continued && input.web) || null
  const params = paramsOf(context, input, options)
  const { passages, canUseWords } = await passagesFor(
    ctx,
    findPassages,
    { ...context, maskingSettings },
    continued,
    params,
  )
  const promptParams = { ...params, passages, web: continued ? await storedPassages(ctx.db, continued.id) : [] }
  const prompt = composePrompt(promptParams)
  const thinking = model.thinks ? (input.thinking ?? 'usual') : undefined
  return {
    model,
    fallback: await fallbackOf(ctx, providers, context),
    run: runOf(context, input, prompt.input, messageId),
    // The text so far may cite passages that no longer exist, so a continued answer keeps its citations.
    prompt: { ...prompt, citations: continued?.citations ?? prompt.citations },
    masking: openMasking(providers, maskingSettings, prompt.messages, params.question.content),
    maskingSettings,
    thinking,
    thoughtTokens: thinking ? thoughtBudget[thinking] * (input.mayThinkMore ? 2 : 1) : 0,
    search: canUseWords ? { libraries: librariesOf(context), promptParams, isStored: !context.isTemporary } : null,
    web: options && { options, promptParams },
  }
}

function paramsOf(
  { assistant, project, personal, model }: AnswerContext,
  input: AnswerInput,
  options: RequestedWeb | null,
) {
  const { contextSymbols, maxOutputSymbols } = model
  return {
    ...{ ...input.promptInput, instructions: assistant?.instructions ?? '', personal },
    ...(project && { project: project.instructions }),
    ...{ contextSymbols, maxOutputSymbols },
    ...(options && { webSymbols: webSymbols(toWebOptions(options)) }),
  }
}

function runOf(context: AnswerContext, input: AnswerInput, size: number, messageId: string): AnswerRun {
  const { inputRate, outputRate, thoughtRate, cachedRate } = context.model
  const { continued } = input
  return {
    hold: `answer:${messageId}:${newId()}`,
    offset: continued?.content.length ?? 0,
    input: size,
    ...{ inputRate, outputRate, thoughtRate, cachedRate },
    ...(continued?.thought && { thoughtOffset: continued.thought.length }),
    ...runMarks(context, input),
  }
}

/** The files of the assistant are searched first, then those of the project. */
function librariesOf({ assistant, project }: AnswerContext): SearchedLibrary[] {
  const searched = (library: AnswerLibrary, isProject: boolean) => ({
    ...{ id: library.id, isProject, usesWords: library.searchWords },
  })
  return [...(assistant ? [searched(assistant, false)] : []), ...(project ? [searched(project, true)] : [])]
}

/** With the words that were written for the same question before, if any; `canUseWords` asks for new ones. */
async function passagesFor(
  ctx: Ctx,
  find: FindPassages,
  context: AnswerContext,
  continued: MessageRow | null,
  params: Omit<PromptParams, 'passages'>,
): Promise<{ passages: CitedPassage[]; canUseWords: boolean }> {
  const libraries = librariesOf(context)
  if (libraries.length === 0) return { passages: [], canUseWords: false }
  if (continued?.citations)
    return { passages: await samePassages(ctx.db, libraries, continued.citations), canUseWords: false }
  const search = { libraries, maskingSettings: context.maskingSettings }
  const found = await freshPassages(ctx, find, search, params)
  if (!found.canUseWords || continued) return { ...found, canUseWords: false }
  const question = searchText(params.question.content, params.history)
  const searchWords = await storedSearchWords(ctx.db, wordLibraries(libraries), question)
  if (searchWords === null) return found
  return { ...(await freshPassages(ctx, find, { ...search, searchWords }, params)), canUseWords: false }
}

async function fallbackOf({ db }: Ctx, providers: Providers, { model, country }: AnswerContext) {
  if (model.fallbackId === null) return null
  const [fallback] = await db.select().from(models).where(eq(models.id, model.fallbackId))
  return fallback && isInCountry(providers, country, fallback) ? fallback : null
}

/** The plan with passages that search words have found; `symbols` is what they are charged as. */
export function withSearchWords(
  providers: Providers,
  plan: TextPlan,
  { promptParams }: SearchPlan,
  { passages, symbols }: { passages: readonly CitedPassage[]; symbols: number },
): TextPlan {
  const params = { ...promptParams, passages, searchWords: symbols }
  const prompt = composePrompt(params)
  return {
    ...plan,
    run: { ...plan.run, input: prompt.input },
    prompt,
    masking: openMasking(providers, plan.maskingSettings, prompt.messages, params.question.content),
    search: null,
    web: plan.web && { ...plan.web, promptParams: params },
  }
}

export interface PlanWithFindings {
  plan: TextPlan
  /** The passages that fit into the prompt. */
  passages: NumberedWebPassage[]
  /** The search itself has found some of them, so its price is charged. */
  hasFound: boolean
  searchPrice: number
}

/** The plan with pages in its prompt; passages of pages are numbered after those of files. */
export function withFindings(
  providers: Providers,
  plan: TextPlan,
  { promptParams }: WebPlan,
  { passages, found }: Pick<WebFindings, 'passages' | 'found'>,
  price: number,
): PlanWithFindings {
  const { run, maskingSettings } = plan
  const numbered = passages.map((passage, i) => ({ n: promptParams.passages.length + i + 1, ...passage }))
  const prompt = composePrompt({ ...promptParams, web: numbered })
  const included = numbered.slice(0, prompt.citations.filter((citation) => citation.web).length)
  const hasFound = included.length > passages.length - found
  const searchPrice = hasFound ? price : 0
  const note = joinNotes(run.note, searchNote(searchPrice))
  return {
    plan: {
      ...plan,
      run: { ...run, input: prompt.input, ...(note && { note }), ...(searchPrice > 0 && { searchPrice }) },
      prompt,
      masking: openMasking(providers, maskingSettings, prompt.messages, promptParams.question.content),
      web: null,
    },
    passages: included,
    hasFound,
    searchPrice,
  }
}

/** The plan with another model, charged at the lower of both rates. */
export function withFallback(plan: TextPlan, model: ModelRow): TextPlan {
  return { ...plan, model, fallback: null, run: { ...plan.run, ...lowerRates(plan.run, model) } }
}
