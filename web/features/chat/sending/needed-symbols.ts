import type { QueryClient } from '@tanstack/react-query'
import { countSymbols } from '#contract/billing.ts'
import type { Message } from '#contract/threads.ts'
import { personalInstructions } from '#contract/users.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { profileQuery } from '#web/features/users/queries.ts'
import { addedBy } from '../composer/added-by.ts'
import { estimate, historySizes, pricedFor } from '../composer/estimate.ts'
import type { OutboxItem } from '../state/outbox.ts'
import { threadKey } from '../state/thread-data.ts'

/** The price of a message and one symbol of its answer, by the rules of the server. */
export function neededFor(client: QueryClient, item: OutboxItem): number | null {
  const thread = client.getQueryData(threadKey(item.threadId))
  const settings = client.getQueryData(profileQuery.queryKey)?.Settings
  const modelId = item.modelId ?? thread?.Model?.id
  const model = client.getQueryData(modelsQuery.queryKey)?.find(({ id }) => id === modelId)
  if (!thread || !settings || !model) return null
  const sizes = historySizes(branchTo(thread.Messages, item.parentId), settings, model)
  const personal = countSymbols(personalInstructions(settings))
  return estimate(sizes, item.content, item.files, pricedFor(model, item.imageId), addedBy(thread), personal).least
}

function branchTo(messages: Message[], parentId: string | null | undefined): Message[] {
  if (parentId === undefined) return messages
  return messages.slice(0, messages.findIndex(({ id }) => id === parentId) + 1)
}
