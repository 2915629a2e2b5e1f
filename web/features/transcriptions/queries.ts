import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Transcription, type TranscriptionChange, transcriptionsApi } from '#contract/transcriptions.ts'
import { modelsQuery, speechModels } from '#web/features/models/queries.ts'
import { useProfile } from '#web/features/users/queries.ts'
import { api, apiPage } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { isPriceRisen } from '#web/lib/price-risen.ts'
import { subscribe } from '#web/lib/realtime.ts'
import { maySpend } from '#web/lib/spend-rule.ts'
import { undoable } from '#web/lib/undoable.ts'

const TRANSCRIPTIONS = 'transcriptions'

/** Errors are shown in place. The last results stay until the next response. */
export const transcriptionsQuery = (query: string) =>
  infiniteQueryOptions({
    queryKey: [TRANSCRIPTIONS, 'list', query],
    queryFn: ({ pageParam, signal }) => {
      const filter = { ...(query && { query }), ...(pageParam && { cursor: pageParam }) }
      return apiPage(transcriptionsApi.list, { query: filter }, { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    meta: { silent: true },
  })

export const transcriptionQuery = (id: string) =>
  callQuery([TRANSCRIPTIONS, 'one', id], transcriptionsApi.get, { params: { id } })

/** Visible transcription models. */
export function useSpeechModels() {
  return useQuery({ ...modelsQuery, select: speechModels })
}

export const refreshTranscriptions = (client: QueryClient) =>
  client.invalidateQueries({ queryKey: [TRANSCRIPTIONS, 'list'] })

/** Refreshes the list and an open recording on server events. */
export function useTranscriptionEvents() {
  const client = useQueryClient()
  useEffect(
    () =>
      subscribe(TRANSCRIPTIONS, ({ type }) => {
        // Documents about a recording change often and leave the recording as it is.
        if (type !== 'minutes') void client.invalidateQueries({ queryKey: [TRANSCRIPTIONS] })
      }),
    [client],
  )
}

function cacheTranscription(client: QueryClient, now: Transcription) {
  client.setQueryData(transcriptionQuery(now.id).queryKey, now)
  return refreshTranscriptions(client)
}

function useTranscriptionCall<Input>(run: (input: Input) => Promise<Transcription>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: run, onSuccess: (now) => cacheTranscription(client, now) })
}

export const useChangeTranscription = (id: string) =>
  useTranscriptionCall((body: TranscriptionChange) => api(transcriptionsApi.update, { params: { id }, body }))

/** The rate of a model may have risen since the page named the price. */
export const refreshPrices = (client: QueryClient) =>
  Promise.all([client.invalidateQueries(modelsQuery), client.invalidateQueries({ queryKey: [TRANSCRIPTIONS] })])

interface RetryWith {
  modelId: string | null
  /** The price that the button names; null where none is known. */
  most: number | null
}

function useRetry(id: string) {
  const client = useQueryClient()
  const run = ({ modelId, most }: RetryWith) =>
    api(transcriptionsApi.retry, {
      params: { id },
      body: { ...(modelId && { modelId }), ...(most !== null && { most }) },
    })
  return useMutation({
    mutationFn: run,
    onSuccess: (now) => cacheTranscription(client, now),
    onError: (error) => isPriceRisen(error) && void refreshPrices(client),
  })
}

/** For a price that the button names: a large one is confirmed first. */
export function useRetryFor(id: string) {
  const retry = useRetry(id)
  const { data: profile } = useProfile()
  return {
    isPending: retry.isPending,
    start: async (modelId: string | null, most: number | null) => {
      const spend = { what: 'Расшифровка', action: 'Расшифровать', most }
      if (await maySpend(profile?.SingleSubscription, spend)) retry.mutate({ modelId, most })
    },
  }
}

export const useStop = (id: string) => useTranscriptionCall(() => api(transcriptionsApi.stop, { params: { id } }))

export function useMakeAttachment(id: string) {
  return useMutation({ mutationFn: () => api(transcriptionsApi.ask, { params: { id } }) })
}

/** Permanent, so it runs after the undo toast. */
export function useDeleteTranscription() {
  const client = useQueryClient()
  return ({ id, title }: Pick<Transcription, 'id' | 'title'>) =>
    undoable({
      id,
      title: `Запись «${title}» удалена`,
      failed: `Не удалось удалить запись «${title}»`,
      action: async () => {
        await api(transcriptionsApi.delete, { params: { id } })
        client.removeQueries({ queryKey: transcriptionQuery(id).queryKey, type: 'inactive' })
        await refreshTranscriptions(client)
      },
    })
}
