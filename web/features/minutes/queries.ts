import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type MinutesKind, minutesApi } from '#contract/minutes.ts'
import { api } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { subscribe } from '#web/lib/realtime.ts'

const MINUTES = 'minutes'

/** The documents of a recording with their prices at a model; the usual one when none is named. */
export const minutesQuery = (id: string, modelId: string | undefined) =>
  callQuery(
    [MINUTES, id, modelId ?? ''],
    minutesApi.read,
    { params: { id }, query: modelId ? { modelId } : {} },
    {
      placeholderData: keepPreviousData,
    },
  )

/** Refreshes them when they or the recording change, also in another window. */
export function useMinutesEvents(id: string) {
  const client = useQueryClient()
  useEffect(
    () =>
      subscribe('transcriptions', (event) => {
        // Events may have been missed before `resumed`, which names no recording.
        const { id: changed = id } = (event.data ?? {}) as { id?: string }
        if (changed === id) void client.invalidateQueries({ queryKey: [MINUTES, id] })
      }),
    [client, id],
  )
}

interface Making {
  kind: MinutesKind
  modelId: string | null
  /** The highest price that the button named. */
  most: number
  overwrite: boolean
}

function useMinutesCall<Input>(id: string, run: (input: Input) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({ mutationFn: run, onSettled: () => client.invalidateQueries({ queryKey: [MINUTES, id] }) })
}

export const useMakeMinutes = (id: string) =>
  useMinutesCall(id, ({ kind, modelId, most, overwrite }: Making) =>
    api(minutesApi.make, {
      params: { id, kind },
      body: { ...(modelId && { modelId }), most, ...(overwrite && { overwrite: true as const }) },
    }),
  )

export const useStopMinutes = (id: string, kind: MinutesKind) =>
  useMinutesCall(id, () => api(minutesApi.stop, { params: { id, kind } }))

export const useEditMinutes = (id: string, kind: MinutesKind) =>
  useMinutesCall(id, (body: { text: string; version: number }) => api(minutesApi.edit, { params: { id, kind }, body }))

export const useDeleteMinutes = (id: string, kind: MinutesKind) =>
  useMinutesCall(id, () => api(minutesApi.delete, { params: { id, kind } }))
