import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { type ApiKeyChange, type ApiKeyDraft, apiKeysAdminApi, apiKeysApi } from '#contract/api-keys.ts'
import { api } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { message } from '#web/lib/notify.ts'
import { useFormCall } from '#web/lib/use-form-call.ts'

const KEYS = 'api-keys'

export const keysQuery = callQuery([KEYS, 'list'], apiKeysApi.list, {})
export const keySpendingQuery = callQuery([KEYS, 'spending'], apiKeysApi.spending, {}, { staleTime: 0 })
export const accessQuery = callQuery([KEYS, 'access'], apiKeysAdminApi.access, {})

export const refreshKeys = (client: QueryClient) => client.invalidateQueries({ queryKey: [KEYS] })

export const useCreateKey = () => useFormCall((body: ApiKeyDraft) => api(apiKeysApi.create, { body }), refreshKeys)

export const useUpdateKey = (id: string) =>
  useFormCall(
    (body: ApiKeyChange) => api(apiKeysApi.update, { params: { id }, body }),
    (client) => {
      message.success('Ключ изменён')
      return refreshKeys(client)
    },
  )

export function useEndKey() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api(apiKeysApi.end, { params: { id } }),
    onSuccess: () => {
      message.success('Ключ отключён')
      return refreshKeys(client)
    },
  })
}

export function useSetAccess() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (isOn: boolean) => api(apiKeysAdminApi.setAccess, { body: { isOn } }),
    onSuccess: (access) => {
      client.setQueryData(accessQuery.queryKey, access)
      message.success(access.isOn ? 'Ключи API разрешены' : 'Ключи API запрещены')
    },
  })
}
