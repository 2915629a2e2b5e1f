import type { Db } from '#server/db/client.ts'
import type { CurrentUser } from '#server/http/context.ts'
import { retryWhileUnavailable } from '#server/instances/retry.ts'
import type { Providers } from '#server/llm/providers.ts'
import type { Meter } from '../billing/meter.ts'
import { fileNamesOf, storeSearchWords, writeSearchWords } from '../knowledge/search-words.ts'
import { withRecordedCost } from '../models/side-costs.ts'
import type { WebDeps } from '../web-search/deps.ts'
import { pendingWeb, type SearchPlan, type TextPlan, withSearchWords } from './answer-plan.ts'
import { guardShort } from './masking.ts'
import { type FindPassages, freshPassages, searchText } from './prompt.ts'
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
  { db, providers, findPassages, user }: SearchingAnswer,
  plan: TextPlan,
  search: SearchPlan,
  state: RunState,
): Promise<TextPlan | null> {
  const { model, maskingSettings } = plan
  const { assistantId, promptParams, isStored } = search
  const { signal } = state.abort
  const question = searchText(promptParams.question.content, promptParams.history)
  const llm = guardShort(providers, maskingSettings, model, providers.llm(model.provider))
  const written = await writeSearchWords(
    {
      llm: withRecordedCost(db, { kind: 'query', userId: user.id, model }, llm),
      ...{ model: model.providerModel, thinks: model.thinks, userId: user.id },
    },
    { question, fileNames: await fileNamesOf(db, assistantId), maskedNames: maskingSettings?.names ?? [] },
    signal,
  )
  if (!written) return null
  const { words, symbols } = written
  const found = await freshPassages(
    { db },
    findPassages,
    { assistantId, searchWords: words, maskingSettings },
    promptParams,
  )
  if (isStored) await storeSearchWords(db, assistantId, question, words)
  return withSearchWords(providers, plan, search, { passages: found.passages, symbols })
}
