import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Profile, type ProfileChange, usersApi } from '#contract/users.ts'
import { api } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { refreshSession } from '#web/lib/session.ts'

/** Silent, because the app start shows its own error when the profile is missing. */
export const profileQuery = callQuery(['profile'], usersApi.me, {})

export function useProfile() {
  return useQuery(profileQuery)
}

/** Optimistic, with a rollback on error. Changes run one after another; only the last response is stored. */
export function useUpdateProfile() {
  const client = useQueryClient()
  const { queryKey } = profileQuery
  return useMutation({
    mutationKey: queryKey,
    scope: { id: 'profile' },
    mutationFn: async (body: ProfileChange) => {
      const { id } = await client.ensureQueryData(profileQuery)
      return api(usersApi.update, { params: { id }, body })
    },
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData(queryKey)
      if (before) client.setQueryData(queryKey, withChange(before, change))
      return before
    },
    onError: (_error, _change, before) => client.setQueryData(queryKey, before),
    onSuccess: async (profile, { name, image }) => {
      if (client.isMutating({ mutationKey: queryKey }) === 1) client.setQueryData(queryKey, profile)
      if (name !== undefined || image !== undefined) await refreshSession(client)
    },
  })
}

/** The profile after the change, for the optimistic update. */
export function withChange(profile: Profile, { Settings, name, image }: ProfileChange): Profile {
  return {
    ...profile,
    ...(name !== undefined && { name: name.trim() }),
    ...(image !== undefined && { image }),
    Settings: { ...profile.Settings, ...Settings },
  }
}
