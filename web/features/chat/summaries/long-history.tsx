import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useMemo } from 'react'
import { modelsQuery } from '#web/features/models/queries.ts'
import { useProfile } from '#web/features/users/queries.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { findThreadModel } from '../composer/model-labels.ts'
import { needsOlder, planFor } from '../composer/sent-history.ts'
import { loadOlder } from '../queries.ts'
import type { ThreadData } from '../state/thread-data.ts'

const SummaryOffer = lazyComponent(async () => (await import('./summary-offer.tsx')).SummaryOffer)

/** Offers a summary when each question of the chat has become expensive; small, because every chat loads it. */
export function LongHistory({ data }: { data: ThreadData }) {
  const client = useQueryClient()
  const settings = useProfile().data?.Settings
  const { data: models } = useQuery(modelsQuery)
  const model = models && findThreadModel(models, data.Model)?.model
  const isWanted = settings !== undefined && settings.threadSummaries !== 'never'
  const plan = useMemo(
    () => (model && settings && isWanted ? planFor(data, settings, model) : null),
    [data, settings, model, isWanted],
  )
  const isDue = plan?.isDue === true
  // The price is for the whole history, so all its messages must be loaded.
  const isCut = isDue && settings !== undefined && needsOlder(data, settings)
  useEffect(() => {
    if (isCut) void loadOlder(client, data.id).catch(() => undefined)
  }, [client, data.id, isCut])
  if (!plan || !isDue || isCut || !model) return null
  return (
    <Suspense>
      <SummaryOffer threadId={data.id} plan={plan} model={model} />
    </Suspense>
  )
}
