import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect } from 'react'
import { ApiError } from '#contract/errors.ts'
import type { SessionUser } from '#contract/page.ts'
import { watchBuilds } from '#web/features/builds/build-watch.ts'
import { isFollowed } from '#web/features/chat/state/runs.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { threadsQuery } from '#web/features/threads/queries.ts'
import { profileQuery } from '#web/features/users/queries.ts'
import { isToasterWanted, notify } from '#web/lib/notify.ts'
import { once } from '#web/lib/once.ts'
import { firstCatchUp, pageConfig } from '#web/lib/page-state.ts'
import { openRealtime, subscribe } from '#web/lib/realtime.ts'
import { refreshSession } from '#web/lib/session.ts'
import { isUnauthorized } from '../describe-error.ts'

const STORE_PAGE_DELAY_MS = 3000

/** Made when it is needed: an error of a module makes the browser parse the whole file again, for its stack. */
const profileMissing = once(
  () =>
    new ApiError({
      status: 500,
      code: 'profile_missing',
      message: 'Ошибка загрузки профиля пользователя! Свяжитесь с поддержкой.',
    }),
)

/** Loads what every screen needs. Returns the error if the profile cannot be loaded: no screen works without it. */
export function useStart(user: SessionUser): ApiError | null {
  const client = useQueryClient()
  useQuery(modelsQuery)
  const { error, data } = useQuery(profileQuery)
  const isFatal = error !== null && data === undefined && !isUnauthorized(error)
  // Deleting a chat opens the next one, also when the list is not shown.
  useEffect(() => void client.prefetchInfiniteQuery(threadsQuery('active')), [client])
  // Loaded early: it could not be loaded when the connection is lost, and is needed then.
  useEffect(() => {
    const timer = setTimeout(() => {
      isToasterWanted.set(true)
      import('../offline/store-page.ts').then(({ storePage }) => storePage(user)).catch(() => undefined)
    }, STORE_PAGE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [user])
  useEffect(() => {
    if (isFatal) toastProfileMissing(pageConfig().supportUrl)
  }, [isFatal])
  return isFatal ? profileMissing() : null
}

function toastProfileMissing(supportUrl: string | null) {
  notify.error({
    id: 'profile-missing',
    title: 'Ошибка',
    description: profileMissing().message,
    ...(supportUrl && {
      action: { label: 'Написать в поддержку', onClick: () => open(supportUrl, '_blank', 'noopener') },
    }),
    isPersistent: true,
  })
}

/** Opens the socket and the build watch while a user is signed in. */
export function useRealtimeEvents() {
  const queryClient = useQueryClient()
  // A layout effect runs before the screens' effects, which subscribe to the socket.
  useLayoutEffect(() => {
    const { buildId } = pageConfig()
    const builds = watchBuilds({ ownId: buildId })
    const close = openRealtime({
      buildId,
      onNewBuild: builds.announce,
      firstCatchUp,
      onSessionEnded: () => void afterMutations(queryClient, () => refreshSession(queryClient).catch(() => undefined)),
    })
    return () => {
      builds.stop()
      close()
    }
  }, [queryClient])

  useEffect(
    () =>
      subscribe('profile', ({ data }) => {
        const { threadId, messageId } = (data ?? {}) as { threadId?: string; messageId?: string }
        // The stream of this answer brings the new balance at its end.
        if (threadId && messageId && isFollowed(threadId, messageId)) return
        void queryClient.invalidateQueries({ queryKey: profileQuery.queryKey })
      }),
    [queryClient],
  )
}

/** A password change ends this session and its response sets a new one: refreshing before that would sign out. */
async function afterMutations(queryClient: QueryClient, work: () => Promise<unknown>) {
  while (queryClient.isMutating() > 0) await new Promise((resolve) => setTimeout(resolve, 100))
  await work()
}
