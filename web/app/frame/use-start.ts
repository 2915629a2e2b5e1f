import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiError } from '#contract/errors.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { threadsQuery } from '#web/features/threads/queries.ts'
import { profileQuery } from '#web/features/users/queries.ts'
import { notify } from '#web/lib/notify.ts'
import { pageConfig } from '#web/lib/page-state.ts'
import { toasterHost } from '#web/lib/toaster-host.ts'
import { isUnauthorized } from '../describe-error.ts'

const TOASTER_AFTER_MS = 3000

const missing = new ApiError({
  status: 500,
  code: 'profile_missing',
  message: 'Ошибка загрузки профиля пользователя! Свяжитесь с поддержкой.',
})

/** Loads what every screen needs, and tells what ended the start: without a profile there is nothing to show. */
export function useStart(): ApiError | null {
  const client = useQueryClient()
  useQuery(modelsQuery)
  const { error, data } = useQuery(profileQuery)
  const isFatal = error !== null && data === undefined && !isUnauthorized(error)
  // Not only for the list: after deleting a chat one goes to the next, also where the list is out of sight.
  useEffect(() => void client.prefetchInfiniteQuery(threadsQuery('active')), [client])
  // So that a notice can be shown when the connection is lost, which is when it cannot be loaded any more.
  useEffect(() => {
    const timer = setTimeout(toasterHost.want, TOASTER_AFTER_MS)
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
