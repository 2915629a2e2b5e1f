import { queryOptions } from '@tanstack/react-query'
import { accountApi } from '#contract/account.ts'
import { apiKeysApi } from '#contract/api-keys.ts'
import { authApi } from '#contract/auth.ts'
import { refreshKeys } from '#web/features/api-keys/queries.ts'
import { followRedirect } from '#web/features/auth/queries.ts'
import { api } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { askForRequirement } from '#web/lib/call-requirements.ts'
import { isProofFresh } from '#web/lib/is-proof-fresh.ts'
import { message } from '#web/lib/notify.ts'
import { paths } from '#web/lib/paths.ts'
import { refreshSession } from '#web/lib/session.ts'
import { useFormCall } from '#web/lib/use-form-call.ts'
import { profileQuery } from './queries.ts'

/** Sign-in methods and sessions. Errors are shown in place. */

export const accountsQuery = callQuery(['accounts'], accountApi.listAccounts, {})

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => {
    const [sessions, signedIn] = await Promise.all([
      api(accountApi.listSessions, {}, { signal, asks: false }),
      api(authApi.getSession, {}, { signal }),
    ])
    const isCurrent = ({ id }: { id: string }) => id === signedIn?.session.id
    return { current: sessions.find(isCurrent) ?? null, others: sessions.filter((session) => !isCurrent(session)) }
  },
  meta: { silent: true },
})

/** An unconfirmed address changes at once, a confirmed one after two emails. */
export function useChangeEmail() {
  return useFormCall(
    (newEmail: string) =>
      api(accountApi.changeEmail, { body: { newEmail: newEmail.trim(), callbackURL: paths.profileAccount() } }),
    (client) => Promise.all([client.invalidateQueries({ queryKey: profileQuery.queryKey }), refreshSession(client)]),
  )
}

export function useCreatePassword() {
  return useFormCall(
    (newPassword: string) => api(accountApi.createPassword, { body: { newPassword } }),
    (client) => {
      message.success('Пароль создан')
      // Not awaited: the form must get its success before the refetch replaces it by another form.
      void client.invalidateQueries({ queryKey: accountsQuery.queryKey })
    },
  )
}

interface PasswordChange {
  currentPassword: string
  newPassword: string
  revokeOtherSessions: boolean
  endApiKeys?: boolean
}

export function useChangePassword() {
  return useFormCall(
    (body: PasswordChange) => api(accountApi.changePassword, { body }),
    (client) => {
      message.success('Пароль изменён')
      // This session may be replaced too, and a request in between would still send the old cookie.
      return Promise.all([
        client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
        refreshKeys(client),
        refreshSession(client),
      ])
    },
  )
}

export function useLinkAccount() {
  return useFormCall(async (provider: string) => {
    const body = { provider, callbackURL: paths.profileAccount(), errorCallbackURL: paths.profileAccount() }
    return followRedirect(await api(accountApi.linkSocial, { body }))
  })
}

export function useUnlinkAccount() {
  return useFormCall(
    (body: { providerId: string; accountId: string }) => api(accountApi.unlinkAccount, { body }),
    (client) => {
      message.success('Способ входа отвязан')
      return client.invalidateQueries({ queryKey: accountsQuery.queryKey })
    },
  )
}

export function useEndSession() {
  return useFormCall(
    (token: string) => api(accountApi.revokeSession, { body: { token } }),
    (client) => {
      message.success('Сеанс завершён')
      return client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
  )
}

export function useEndOtherSessions() {
  return useFormCall(
    async ({ endApiKeys }: { endApiKeys: boolean }) => {
      // The keys first: when the sessions have ended, nobody asks about the keys again.
      if (endApiKeys) await api(apiKeysApi.endAll, {})
      return api(accountApi.revokeOtherSessions, {})
    },
    (client) => {
      message.success('Остальные сеансы завершены')
      return Promise.all([client.invalidateQueries({ queryKey: sessionsQuery.queryKey }), refreshKeys(client)])
    },
  )
}

/** Deletes at once with a password; without one the server sends an email with a link. */
export function useDeleteAccount() {
  return useFormCall(
    async ({ password }: { password?: string }) => {
      if (!password && !(await isProofFresh()) && !(await askForRequirement('proof_required')))
        throw new Error('Не подтверждено, что это вы. Повторите, когда будете готовы.')
      const callbackURL = `${paths.signIn()}?mode=deleted`
      const answer = await api(accountApi.deleteUser, { body: { callbackURL, ...(password && { password }) } })
      return answer.message === 'User deleted' ? 'deleted' : 'email-sent'
    },
    async (client, outcome) => {
      if (outcome === 'email-sent') return
      await refreshSession(client)
      message.success('Аккаунт удалён')
    },
  )
}
