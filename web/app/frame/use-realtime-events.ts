import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect } from 'react'
import { watchBuilds } from '#web/features/builds/build-watch.ts'
import { profileQuery } from '#web/features/users/queries.ts'
import { pageConfig } from '#web/lib/page-state.ts'
import { openRealtime, subscribe } from '#web/lib/realtime.ts'
import { refreshSession } from '#web/lib/session.ts'

/** Keeps the socket and the build watch going while somebody is signed in. */
export function useRealtimeEvents() {
  const queryClient = useQueryClient()
  // Before any effect of the screens, so that they find the socket when they subscribe.
  useLayoutEffect(() => {
    const { buildId } = pageConfig()
    const builds = watchBuilds({ ownId: buildId })
    const close = openRealtime({
      buildId,
      onNewBuild: builds.announce,
      onSessionEnded: () => void afterChanges(queryClient, () => refreshSession(queryClient).catch(() => undefined)),
    })
    return () => {
      builds.stop()
      close()
    }
  }, [queryClient])

  useEffect(
    () => subscribe('profile', () => void queryClient.invalidateQueries({ queryKey: profileQuery.queryKey })),
    [queryClient],
  )
}

/** A change of password ends this very session and brings a new one with its answer: asking earlier would find nobody. */
async function afterChanges(queryClient: QueryClient, work: () => Promise<unknown>) {
  while (queryClient.isMutating() > 0) await new Promise((resolve) => setTimeout(resolve, 100))
  await work()
}
