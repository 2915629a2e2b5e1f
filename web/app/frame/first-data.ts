import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FirstData } from '#contract/page.ts'
import { mergeFresh, threadKey } from '#web/features/chat/state/thread-data.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { threadsQuery } from '#web/features/threads/queries.ts'
import { profileQuery } from '#web/features/users/queries.ts'
import { takeFirstData } from '#web/lib/page-state.ts'

/** Puts the data that came with the page into the query cache, before anything reads it. */
export function useFirstData(): void {
  const client = useQueryClient()
  useState(() => {
    const first = takeFirstData()
    if (first) seedQueryCache(client, first.data, first.at)
  })
}

/** Which query each part of the first data answers. */
export function seedQueryCache(
  client: QueryClient,
  { profile, models, threads, thread }: FirstData,
  updatedAt: number,
): void {
  const at = { updatedAt }
  if (profile) client.setQueryData(profileQuery.queryKey, profile, at)
  if (models) client.setQueryData(modelsQuery.queryKey, models, at)
  if (threads) client.setQueryData(threadsQuery('active').queryKey, { pages: [threads], pageParams: [null] }, at)
  if (thread) {
    const { items, nextCursor } = thread
    client.setQueryData(threadKey(items.id), mergeFresh(undefined, items, nextCursor), at)
  }
}
