import type { Db } from '#server/db/client.ts'
import type { CurrentUser } from '#server/http/context.ts'
import { retryWhileUnavailable } from '#server/instances/retry.ts'
import type { Providers } from '#server/llm/providers.ts'
import type { Meter } from '../billing/meter.ts'
import { fileNamesOf, storeSearchWords, writeSearchWords } from '../knowledge/search-words.ts'
import { withRecordedCost } from '../models/side-costs.ts'
import type { WebDeps } from '../web-search/deps.ts'
import { pendingWeb, type SearchPlan, type TextPlan, withSearchWords, wordLibraries } from './answer-plan.ts'
import { guardShort } from './masking.ts'
import { type CitedPassage, type FindPassages, freshPassages, searchText } from './prompt.ts'
import { storeFindings } from './rows.ts'
import { endEarly, enterStage, type RunState } from './run-state.ts'

export interface SearchingAnswer {
  db: Db
  providers: Providers
  findPassages: FindPassages
  webDeps: Pick<WebDeps, 'price'>
  user: CurrentUser
  messageId: string
  meter: Meter
}

/**
 * Searches the files once more, with words that the model writes first. Without words the passages found before stay,
 * and nothing is charged for the attempt.
 */
export async function findByWords(answer: SearchingAnswer, plan: TextPlan, state: RunState): Promise<TextPlan> {
  if (!plan.search) return plan
  enterStage(state, { type: 'stage', stage: { type: 'words' } })
  const better = await searchAgain(answer, plan, plan.search, state)
  const next = better ?? { ...plan, search: null }
  const { run, prompt, masking, model, web } = next
  const { signal } = state.stopRetries
  const searchPrice = web?.options.search ? answer.webDeps.price : 0
  await answer.meter.change({ input: run.input, searchPrice }, signal)
  const { parts, citations } = prompt
  if (better) {
    const stored = { run, parts, citations, web: web && pendingWeb(web), passages: [] }
    const findings = { ...stored, masked: await masking.maskedFor(model) }
    const isOurs = await retryWhileUnavailable(() => storeFindings(answer.db, answer.messageId, findings), { signal })
    if (!isOurs) endEarly(state, 'lost')
    state.abort.signal.throwIfAborted()
  }
  if (!web) enterStage(state, { type: 'stage-end', citations, web: null })
  return next
}

async function searchAgain(
  answer: SearchingAnswer,
  plan: TextPlan,
  search: SearchPlan,
  state: RunState,
): Promise<TextPlan | null> {
  const found = await searchByWords(answer, search, plan, state.abort.signal)
  return found && withSearchWords(answer.providers, plan, search, found)
}

interface FoundByWords {
  passages: CitedPassage[]
  /** What the words are charged as. */
  symbols: number
}

/** Null when the model writes no words; then the attempt is free. Throws only when it is stopped. */
export async function searchByWords(
  { db, providers, findPassages, user }: Pick<SearchingAnswer, 'db' | 'providers' | 'findPassages' | 'user'>,
  { libraries, promptParams, isStored }: SearchPlan,
  { model, maskingSettings }: Pick<TextPlan, 'model' | 'maskingSettings'>,
  signal: AbortSignal,
): Promise<FoundByWords | null> {
  const ids = wordLibraries(libraries)
  const question = searchText(promptParams.question.content, promptParams.history)
  const llm = guardShort(providers, maskingSettings, model, providers.llm(model.provider))
  const written = await writeSearchWords(
    {
      llm: withRecordedCost(db, { kind: 'query', userId: user.id, model }, llm),
      ...{ model: model.providerModel, thinks: model.thinks, userId: user.id },
    },
    { question, fileNames: await fileNamesOf(db, ids), maskedNames: maskingSettings?.names ?? [] },
    signal,
  )
  if (!written) return null
  const { words, symbols } = written
  const search = { libraries, searchWords: words, maskingSettings }
  const { passages } = await freshPassages({ db }, findPassages, search, promptParams)
  if (isStored) await storeSearchWords(db, ids, question, words)
  return { passages, symbols }
}
