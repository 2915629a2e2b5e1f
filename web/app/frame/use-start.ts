import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect } from 'react'
import { ApiError } from '#contract/errors.ts'
import { watchBuilds } from '#web/features/builds/build-watch.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { threadsQuery } from '#web/features/threads/queries.ts'
import { profileQuery } from '#web/features/users/queries.ts'
import { isToasterWanted, notify } from '#web/lib/notify.ts'
import { pageConfig } from '#web/lib/page-state.ts'
import { openRealtime, subscribe } from '#web/lib/realtime.ts'
import { refreshSession } from '#web/lib/session.ts'
import { isUnauthorized } from '../describe-error.ts'

const TOASTER_AFTER_MS = 3000

const missing = new ApiError({
  status: 500,
  code: 'profile_missing',
  message: 'Ошибка загрузки профиля пользователя! Свяжитесь с поддержкой.',
})

/** Loads what every screen needs; returns the error that stopped it, because without a profile nothing can be shown. */
export function useStart(): ApiError | null {
  const client = useQueryClient()
  useQuery(modelsQuery)
  const { error, data } = useQuery(profileQuery)
  const isFatal = error !== null && data === undefined && !isUnauthorized(error)
  // Not only for the list: after deleting a chat one goes to the next, also where the list is out of sight.
  useEffect(() => void client.prefetchInfiniteQuery(threadsQuery('active')), [client])
  // So that a notice can be shown when the connection is lost, which is when it cannot be loaded any more.
  useEffect(() => {
    const timer = setTimeout(() => isToasterWanted.set(true), TOASTER_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => {
    if (isFatal) toastProfileMissing(pageConfig().supportUrl)
  }, [isFatal])
  return isFatal ? missing : null
}

function toastProfileMissing(supportUrl: string | null) {
  notify.error({
    id: 'profile-missing',
    title: 'Ошибка',
    description: missing.message,
    ...(supportUrl && {
      action: { label: 'Написать в поддержку', onClick: () => open(supportUrl, '_blank', 'noopener') },
    }),
    stays: true,
  })
}

/** Keeps the socket and the build watch going while a user is signed in. */
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

/** A password change ends this session and its response sets a new one: asking before that would find no session. */
async function afterChanges(queryClient: QueryClient, work: () => Promise<unknown>) {
  while (queryClient.isMutating() > 0) await new Promise((resolve) => setTimeout(resolve, 100))
  await work()
}
