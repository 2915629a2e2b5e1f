import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { apiKeysAdminApi } from '#contract/api-keys.ts'
import { authAdminApi } from '#contract/auth-admin.ts'
import { billingApi } from '#contract/billing.ts'
import { addressOf } from '#contract/endpoint.ts'
import { ordersAdminApi } from '#contract/orders-admin.ts'
import { usersApi } from '#contract/users.ts'
import { type UserQuery, usersAdminApi } from '#contract/users-admin.ts'
import { api } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { message } from '#web/lib/notify.ts'
import { paths } from '#web/lib/paths.ts'
import { saveFile } from '#web/lib/save-file.ts'

const PEOPLE = 'people'

export const userListQuery = (query: UserQuery) =>
  callQuery([PEOPLE, 'list', query], usersAdminApi.list, { query }, { placeholderData: keepPreviousData })

export const userCardQuery = (id: string) => callQuery([PEOPLE, 'card', id], usersAdminApi.card, { params: { id } })

export const userSessionsQuery = (userId: string) =>
  queryOptions({
    queryKey: [PEOPLE, 'sessions', userId],
    queryFn: async ({ signal }) => {
      const { sessions } = await api(authAdminApi.listUserSessions, { body: { userId } }, { signal })
      const open = sessions.filter(({ expiresAt }) => Date.parse(expiresAt) > Date.now())
      return open.sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
    },
    meta: { silent: true },
  })

export const userKeysQuery = (userId: string) =>
  callQuery([PEOPLE, 'keys', userId], apiKeysAdminApi.ofUser, { params: { id: userId } })

/** An action on a user: errors are shown in its dialog, and all user queries are refetched afterwards. */
function usePersonAction<Input>(send: (input: Input) => Promise<unknown>, done: (input: Input) => string) {
  const client = useQueryClient()
  return useMutation({
    meta: { silent: true },
    mutationFn: send,
    onSuccess: (_, input) => {
      message.success(done(input))
      return refresh(client)
    },
  })
}

const refresh = (client: QueryClient) => client.invalidateQueries({ queryKey: [PEOPLE] })

export const useEndUserKey = (userId: string) =>
  usePersonAction(
    (keyId: string) => api(apiKeysAdminApi.end, { params: { id: userId, keyId } }),
    () => 'Ключ отключён',
  )

export interface Gift {
  id: string
  symbols: number
  reason: string
  key: string
}

export const useGift = () =>
  usePersonAction(
    ({ id, ...body }: Gift) => api(billingApi.gift, { params: { id }, body }),
    ({ symbols }) => (symbols > 0 ? 'Символы подарены' : 'Символы забраны'),
  )

export const useSetRole = () =>
  usePersonAction(
    (body: { userId: string; role: 'admin' | 'user' }) => api(authAdminApi.setRole, { body }),
    ({ role }) => (role === 'admin' ? 'Теперь это администратор' : 'Роль администратора снята'),
  )

export const useBan = () =>
  usePersonAction(
    (body: { userId: string; banReason: string; banExpiresIn?: number }) => api(authAdminApi.banUser, { body }),
    () => 'Пользователь заблокирован',
  )

export const useCancelRenewal = () =>
  usePersonAction(
    (id: string) => api(ordersAdminApi.cancelRenewal, { params: { id } }),
    () => 'Продление отменено',
  )

export const useUnban = () =>
  usePersonAction(
    (userId: string) => api(authAdminApi.unbanUser, { body: { userId } }),
    () => 'Блокировка снята',
  )

export const useEndUserSession = () =>
  usePersonAction(
    (sessionToken: string) => api(authAdminApi.revokeUserSession, { body: { sessionToken } }),
    () => 'Сеанс завершён',
  )

export const useEndUserSessions = () =>
  usePersonAction(
    (userId: string) => api(authAdminApi.revokeUserSessions, { body: { userId } }),
    () => 'Все сеансы завершены',
  )

export const useResetFactor = () =>
  usePersonAction(
    (userId: string) => api(authAdminApi.resetSecondFactor, { body: { userId } }),
    () => 'Вход в два шага снят',
  )

export function useDownloadData(userId: string) {
  return useMutation({
    mutationFn: () => saveFile(addressOf(usersApi.export, { params: { id: userId } }), 'symbol-data.json'),
  })
}

/** Leaves the page of a deleted user before its query is refetched. */
export function useRemoveUser(onDeleted: () => void) {
  const client = useQueryClient()
  return useMutation({
    meta: { silent: true },
    mutationFn: (userId: string) => api(authAdminApi.removeUser, { body: { userId } }),
    onSuccess: () => {
      message.success('Аккаунт удалён')
      onDeleted()
      return client.invalidateQueries({ queryKey: [PEOPLE, 'list'] })
    },
  })
}

/** Reloads the page as the other user, so that no data of the admin stays in memory. */
export function useImpersonate() {
  return useMutation({
    meta: { silent: true },
    mutationFn: (userId: string) => api(authAdminApi.impersonateUser, { body: { userId } }),
    onSuccess: () => location.assign(paths.home()),
  })
}
