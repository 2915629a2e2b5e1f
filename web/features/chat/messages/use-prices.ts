import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Thinking } from '#contract/models.ts'
import type { Message } from '#contract/threads.ts'
import { modelsQuery, usualCostsQuery } from '#web/features/models/queries.ts'
import { withPrice } from '#web/lib/format.ts'
import { useSession } from '#web/lib/session.ts'
import { pricedFor } from '../composer/estimate.ts'
import { thinkingChoice } from '../composer/thinking-choice.ts'
import { searchPrice } from '../composer/web-choice.ts'
import { threadKey } from '../state/thread-data.ts'
import { type AgainContext, type AgainCost, costOfRest, costToRepeat } from './again-cost.ts'

/** Labels of the buttons that ask a model again, with the most they cost at the model of the chat. */

export function useThreadModel({ threadId, modelId }: Message) {
  const client = useQueryClient()
  const { data: models } = useQuery(modelsQuery)
  const wanted = client.getQueryData(threadKey(threadId))?.Model?.id ?? modelId
  return models?.find(({ id }) => id === wanted)
}

export interface AgainChange {
  modelId?: string
  thinking?: Thinking
}

type PricedMessage = Pick<Message, 'threadId' | 'modelId'> & Partial<Pick<Message, 'imageId' | 'parentId'>>

/** The image that a question, or the question of an answer, asks to change. */
export function changedImage(client: QueryClient, { imageId, parentId, threadId }: PricedMessage) {
  const thread = client.getQueryData(threadKey(threadId))
  return imageId ?? thread?.Messages.find(({ id }) => id === parentId)?.imageId
}

/** With what a message would be answered again; null when the model is not known. */
export function againContext(
  client: QueryClient,
  userId: string,
  message: PricedMessage,
  change: AgainChange = {},
): AgainContext | null {
  const wanted = change.modelId ?? client.getQueryData(threadKey(message.threadId))?.Model?.id ?? message.modelId
  const model = client.getQueryData(modelsQuery.queryKey)?.find(({ id }) => id === wanted)
  if (!model) return null
  return {
    model: pricedFor(model, changedImage(client, message)),
    thinking: change.thinking ?? thinkingChoice(userId, message.threadId),
    usualCosts: client.getQueryData(usualCostsQuery.queryKey),
    searchPrice: searchPrice() ?? 0,
  }
}

/** Follows models and usual costs, which are read when a pointer or the focus comes near (`preloadPrices`). */
function useAgainContext(message: Message) {
  const client = useQueryClient()
  const userId = useSession()?.id ?? ''
  useQuery(modelsQuery)
  useQuery({ ...usualCostsQuery, enabled: false })
  return (change?: AgainChange) => againContext(client, userId, message, change)
}

export function usePreloadPrices(): () => void {
  const client = useQueryClient()
  return () => void client.prefetchQuery(usualCostsQuery)
}

const labelWith = (label: string, cost: AgainCost | null) => withPrice(label, cost?.most ?? null, cost?.kind)

/** «Ответить заново · до 1 300» */
export function useRepeatLabel(label: string, message: Message, change?: AgainChange): string {
  const context = useAgainContext(message)(change)
  return labelWith(label, context && costToRepeat(message, context))
}

/** «до 1 300» for each other way to answer. */
export function useRepeatPrice(message: Message): (change: AgainChange) => string {
  const contextOf = useAgainContext(message)
  return (change) => {
    const context = contextOf(change)
    return labelWith('', context && costToRepeat(message, context)).replace(/^ · /, '')
  }
}

/** «Ответить без размышлений · до 1 110»: this answer has no length to go by. */
export function useAgainLabel(label: string, message: Message, thinking: Thinking): string {
  return useRepeatLabel(label, { ...message, output: 0, thought: null }, { thinking })
}

/** «Продолжить ответ · до 1 110» */
export function useContinueLabel(message: Message): string {
  const context = useAgainContext(message)()
  return labelWith('Продолжить ответ', context && costOfRest(message, context))
}
