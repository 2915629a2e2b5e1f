import { eq } from 'drizzle-orm'
import { SEARCH_WORDS_SYMBOLS, type TryOut, type TryOutResult } from '#contract/assistants.ts'
import { models } from '#server/db/schema.ts'
import type { Ctx } from '#server/http/context.ts'
import type { Instance } from '#server/instances/instance.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { newId } from '#server/lib/ids.ts'
import { LlmError } from '#server/llm/errors.ts'
import type { OnText } from '#server/llm/llm.ts'
import type { Providers } from '#server/llm/providers.ts'
import type { SearchPlan } from '../answers/answer-plan.ts'
import { searchByWords } from '../answers/find-by-words.ts'
import { type MaskingSettings, openMasking, readMaskingSettings } from '../answers/masking.ts'
import {
  composePrompt,
  type FindPassages,
  freshPassages,
  type Prompt,
  type PromptMessage,
  searchText,
} from '../answers/prompt.ts'
import { singleSubscription } from '../billing/balance.ts'
import { startMeter, streamWithinHold } from '../billing/meter.ts'
import { storedSearchWords } from '../knowledge/search-words.ts'
import { checkLibraryModel, usualModelIn } from '../models/countries.ts'
import type { ModelRow } from '../models/models.ts'
import { assistantModel, assistantNotFound } from './assistants.ts'

export interface TryOutDeps {
  providers: Providers
  findPassages: FindPassages
  instance: Pick<Instance, 'id'>
}

interface Reader {
  /** Aborted when the client disconnects; the text until then is charged. */
  signal: AbortSignal
  onText: OnText
}

/** Answers with unsaved instructions over the saved files. Only the charge is stored. */
export async function tryOut(ctx: Ctx, deps: TryOutDeps, trial: TryOut, reader: Reader): Promise<TryOutResult> {
  const model = await modelFor(ctx, deps.providers, trial)
  const maskingSettings = await readMaskingSettings(ctx.db, ctx.user.id)
  const first = await promptFor(ctx, deps, trial, model, maskingSettings)
  const meter = await startMeter(ctx.db, {
    key: `try:${newId()}`,
    userId: ctx.user.id,
    kind: 'answer',
    // Search words are held from the start, so that they can be charged.
    input: first.prompt.input + (first.search ? SEARCH_WORDS_SYMBOLS : 0),
    rates: model,
    details: { modelId: model.id },
    instance: deps.instance.id,
  })
  const { search } = first
  // Without words, or when the client has gone, the first passages stay.
  const found =
    search &&
    (await searchByWords({ ...ctx, ...deps }, search, { model, maskingSettings }, reader.signal).catch(() => null))
  const prompt =
    search && found
      ? composePrompt({ ...search.promptParams, passages: found.passages, searchWords: found.symbols })
      : first.prompt
  if (search) await meter.change({ input: prompt.input, searchPrice: 0 })
  const masking = openMasking(deps.providers, maskingSettings, prompt.messages)
  const llm = masking.guard(model, deps.providers.llm(model.provider))
  const request = {
    model: model.providerModel,
    messages: prompt.messages,
    userId: ctx.user.id,
    isByAdmin: ctx.user.role === 'admin',
    ...(model.maxOutputSymbols ? { maxTokens: model.maxOutputSymbols } : {}),
  }
  const { text, failure, isEarlyStop } = await streamWithinHold(llm, request, meter, reader)
  // Text that was delivered before the model's content filter stopped it is charged.
  if (failure && !(failure instanceof LlmError && failure.kind === 'filter')) meter.forget()
  const { charged } = await meter.settle({ withoutOutput: isEarlyStop ? 'stop' : 'free' })
  ctx.publish(ctx.user.id, { topic: 'profile', type: 'balance', data: null })
  if (failure) throw failure
  const { parts, citations } = prompt
  return { text, charged, parts, citations, SingleSubscription: await singleSubscription(ctx.db, ctx.user.id) }
}

async function modelFor(ctx: Ctx, providers: Providers, { modelId, country = null }: TryOut): Promise<ModelRow> {
  const allowed = { providerCountries: providers, country }
  await checkLibraryModel(ctx.db, modelId, allowed)
  const id = modelId ?? (await usualModelIn(ctx.db, ctx.user.id, allowed))
  const [model] = id === null ? [] : await ctx.db.select().from(models).where(eq(models.id, id))
  if (!model) throw notFound('Такой модели нет')
  return model
}

async function promptFor(
  ctx: Ctx,
  { findPassages }: TryOutDeps,
  { assistantId, instructions, messages }: TryOut,
  { contextSymbols, maxOutputSymbols }: ModelRow,
  maskingSettings: MaskingSettings,
): Promise<{ prompt: Prompt; search: SearchPlan | null }> {
  const question = messages.at(-1)
  if (question?.role !== 'user' || question.content.trim() === '') {
    throw new AppError('bad_request', 'Последним должен быть вопрос.', { field: 'messages' })
  }
  const assistant = assistantId === null ? null : await assistantModel(ctx.db, ctx.user.id, assistantId)
  if (assistantId !== null && !assistant) throw assistantNotFound()
  const conversation = {
    question: toPromptMessage(question),
    history: messages.slice(0, -1).map(toPromptMessage),
    begun: '',
  }
  // The assistant alone is tried, so the person's own instructions stay out.
  const params = { ...conversation, instructions, personal: '', contextSymbols, maxOutputSymbols }
  if (assistantId === null) return { prompt: composePrompt({ ...params, passages: [] }), search: null }
  const libraries = [{ id: assistantId, isProject: false, usesWords: assistant?.searchWords ?? false }]
  const found = await freshPassages(ctx, findPassages, { libraries, maskingSettings }, params)
  const prompt = composePrompt({ ...params, passages: found.passages })
  if (!found.canUseWords) return { prompt, search: null }
  const text = searchText(question.content, params.history)
  const searchWords = await storedSearchWords(ctx.db, [assistantId], text)
  if (searchWords === null)
    return { prompt, search: { libraries, promptParams: { ...params, passages: found.passages }, isStored: true } }
  const { passages } = await freshPassages(ctx, findPassages, { libraries, searchWords, maskingSettings }, params)
  return { prompt: composePrompt({ ...params, passages }), search: null }
}

const toPromptMessage = ({ role, content }: TryOut['messages'][number]): PromptMessage => ({
  role,
  content,
  documents: [],
  images: [],
  imageSymbols: 0,
})
