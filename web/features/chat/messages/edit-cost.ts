import type { QueryClient } from '@tanstack/react-query'
import { countSymbols } from '#contract/billing.ts'
import type { Message } from '#contract/threads.ts'
import { personalInstructions } from '#contract/users.ts'
import { type WebOptions, webPrice } from '#contract/web-search.ts'
import { profileQuery } from '#web/features/users/queries.ts'
import { addedBy } from '../composer/added-by.ts'
import { estimate, historySizes } from '../composer/estimate.ts'
import { sentHistory } from '../composer/sent-history.ts'
import { asWebRequest } from '../composer/use-web-options.ts'
import { searchPrice, webChoice } from '../composer/web-choice.ts'
import { threadKey } from '../state/thread-data.ts'
import { type AgainCost, answerCost } from './again-cost.ts'
import { requestedWeb } from './answer-cost.ts'
import { againContext } from './use-prices.ts'

/** Another version of a question: it searches and reads as the first one did, as far as its text allows. */

/** The shown answer to a question. */
export function answerTo(client: QueryClient, { id, threadId }: Pick<Message, 'id' | 'threadId'>): Message | undefined {
  return client.getQueryData(threadKey(threadId))?.Messages.find(({ parentId }) => parentId === id)
}

function optionsOfEdit(client: QueryClient, question: Message, content: string): WebOptions | null {
  const requested = requestedWeb(answerTo(client, question)?.web)
  if (!requested) return null
  const pages = requested.pages.filter((page) => content.includes(page))
  return { search: searchPrice() === null ? false : requested.search, pages }
}

export function webOfEdit(client: QueryClient, question: Message, content: string) {
  return asWebRequest(optionsOfEdit(client, question, content) ?? { search: false, pages: [] })
}

/** What the other version may cost; null when it is not known. */
export function costOfEdit(client: QueryClient, userId: string, question: Message, content: string): AgainCost | null {
  const { threadId, parentId, files, imageId } = question
  const thread = client.getQueryData(threadKey(threadId))
  const settings = client.getQueryData(profileQuery.queryKey)?.Settings
  const context = againContext(client, userId, { threadId, modelId: null, imageId })
  if (!thread || !settings || !context) return null
  const { model } = context
  const before = thread.Messages.slice(0, thread.Messages.findIndex(({ id }) => id === parentId) + 1)
  const { history, summary } = sentHistory({ ...thread, Messages: before }, settings)
  const personal = countSymbols(personalInstructions(settings))
  const sizes = historySizes(history, settings, model)
  const cost = estimate(sizes, content, files, model, addedBy(thread), personal, summary?.symbols ?? 0)
  if (model.kind === 'image') return { most: cost.symbols, least: cost.least, kind: 'exactly' }
  const options = optionsOfEdit(client, question, content) ?? { search: webChoice(userId, threadId).search, pages: [] }
  const web = options.search || options.pages.length > 0 ? webPrice(options, searchPrice() ?? 0, model) : null
  const answer = answerCost(context, answerTo(client, question))
  const added = web ? web.search + web.pages : 0
  const least = cost.least + (web?.search ?? 0)
  return { most: cost.symbols + added + answer.symbols, least, kind: web ? 'most' : answer.kind }
}
