import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Message } from '#contract/threads.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { withPrice } from '#web/lib/format.ts'
import { searchPrice } from '../composer/web-choice.ts'
import { threadKey } from '../thread/thread-data.ts'
import { costToContinue, costToRepeat } from './answer-cost.ts'

/** Labels of the buttons that ask a model again, with their price at the model of the chat. */

export function useThreadModel({ threadId, modelId }: Message) {
  const client = useQueryClient()
  const { data: models } = useQuery(modelsQuery)
  const wanted = client.getQueryData(threadKey(threadId))?.Model?.id ?? modelId
  return models?.find(({ id }) => id === wanted)
}

/** «Ответить заново · ≈ 430» */
export function useRepeatLabel(label: string, message: Message): string {
  const model = useThreadModel(message)
  if (!model) return label
  const { symbols, kind } = costToRepeat(message, model, searchPrice() ?? 0)
  return withPrice(label, symbols, kind)
}

/** «Ответить без размышлений · от 110»: the minimum price, without the thought of this answer. */
export function useAgainLabel(label: string, message: Message): string {
  return useRepeatLabel(label, { ...message, output: 0, thought: null })
}

/** «Продолжить ответ · от 110» */
export function useContinueLabel(message: Message): string {
  const model = useThreadModel(message)
  const isKnown = model !== undefined && message.parts !== null
  return withPrice('Продолжить ответ', isKnown ? costToContinue(message, model) : null, 'from')
}
