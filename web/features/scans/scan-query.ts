import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { addressOf } from '#contract/endpoint.ts'
import { type Scan, scansApi } from '#contract/scans.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { subscribe } from '#web/lib/realtime.ts'

const POLL_MS = 5000

export const isReading = ({ state }: Pick<Scan, 'state'>) => state === 'queued' || state === 'working'

const scanKey = (fileId: string) => ['scan', fileId]

const scanQuery = (fileId: string) =>
  callQuery(
    scanKey(fileId),
    scansApi.get,
    { params: { fileId } },
    // Polls while pages are read, because events may get lost.
    { refetchInterval: ({ state }) => (state.data && isReading(state.data) ? POLL_MS : false) },
  )

/** The scan of a file, refreshed with every page. */
export function useScan(fileId: string) {
  const client = useQueryClient()
  const query = useQuery(scanQuery(fileId))
  useEffect(
    () =>
      subscribe('assistants', ({ type, data }) => {
        const isOther = type === 'scan' && (data as { fileId?: string } | null)?.fileId !== fileId
        if (!isOther) void client.invalidateQueries({ queryKey: scanKey(fileId) })
      }),
    [client, fileId],
  )
  const show = (scan: Scan) => client.setQueryData(scanQuery(fileId).queryKey, scan)
  return { ...query, show }
}

export const pictureAddress = (fileId: string, page: number) =>
  addressOf(scansApi.picture, { params: { fileId, number: String(page) } })
