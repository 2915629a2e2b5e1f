import type { QueryClient } from '@tanstack/react-query'
import { countSymbols } from '#contract/billing.ts'
import type { Model } from '#contract/models.ts'
import type { Message } from '#contract/threads.ts'
import { personalInstructions } from '#contract/users.ts'
import { modelsQuery, usualCostsQuery } from '#web/features/models/queries.ts'
import { profileQuery } from '#web/features/users/queries.ts'
import { addedBy } from '../composer/added-by.ts'
import {
  type Estimate,
  estimate,
  historySizes,
  middle,
  pricedFor,
  roundToTwo,
  usualAnswer,
} from '../composer/estimate.ts'
import type { OutboxItem } from '../state/outbox.ts'
import { threadKey } from '../state/thread-data.ts'

/** The price of a message and one symbol of its answer, by the rules of the server. */
export const neededFor = (client: QueryClient, item: OutboxItem): number | null =>
  estimateFor(client, item)?.cost.least ?? null

/** The price of a message with an answer of the usual length. */
export function usualPriceFor(client: QueryClient, item: OutboxItem): number | null {
  const { cost, model } = estimateFor(client, item) ?? {}
  if (!cost || !model) return null
  if (model.kind === 'image') return cost.symbols
  return roundToTwo(cost.symbols + middle(usualAnswer(client.getQueryData(usualCostsQuery.queryKey), model)))
}

function estimateFor(client: QueryClient, item: OutboxItem): { cost: Estimate; model: Model } | null {
  const thread = client.getQueryData(threadKey(item.threadId))
  const settings = client.getQueryData(profileQuery.queryKey)?.Settings
  const modelId = item.modelId ?? thread?.Model?.id
  const model = client.getQueryData(modelsQuery.queryKey)?.find(({ id }) => id === modelId)
  if (!thread || !settings || !model) return null
  const sizes = historySizes(branchTo(thread.Messages, item.parentId), settings, model)
  const personal = countSymbols(personalInstructions(settings))
  const priced = pricedFor(model, item.imageId)
  return { cost: estimate(sizes, item.content, item.files, priced, addedBy(thread), personal), model }
}

function branchTo(messages: Message[], parentId: string | null | undefined): Message[] {
  if (parentId === undefined) return messages
  return messages.slice(0, messages.findIndex(({ id }) => id === parentId) + 1)
}
