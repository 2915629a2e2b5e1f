import { authFactorsApi } from '#contract/auth-factors.ts'
import { api } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { message } from '#web/lib/notify.ts'
import { createPasskey } from '#web/lib/passkey.ts'
import { refreshSession } from '#web/lib/session.ts'
import { useFormCall } from '#web/lib/use-form-call.ts'
import { sessionsQuery } from './account-queries.ts'

export const factorQuery = callQuery(['second-factor'], authFactorsApi.factorState, {})

export const passkeysQuery = callQuery(['passkeys'], authFactorsApi.listPasskeys, {})

export function useStartTotp() {
  return useFormCall(() => api(authFactorsApi.enableTotp, {}))
}

/** The first valid code turns the second factor on; the server replaces this session. */
export function useConfirmTotp() {
  return useFormCall(
    (code: string) => api(authFactorsApi.verifyTotp, { body: { code: code.replace(/\s/g, '') } }),
    async (client) => {
      await refreshSession(client)
      void client.invalidateQueries({ queryKey: factorQuery.queryKey })
      void client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
  )
}

export function useNewCodes() {
  return useFormCall(
    () => api(authFactorsApi.newBackupCodes, {}),
    (client) => client.invalidateQueries({ queryKey: factorQuery.queryKey }),
  )
}

export function useDisableTotp() {
  return useFormCall(
    () => api(authFactorsApi.disableTotp, {}),
    async (client) => {
      message.success('Вход в два шага выключен')
      await Promise.all([client.invalidateQueries({ queryKey: factorQuery.queryKey }), refreshSession(client)])
    },
  )
}

export function useAddPasskey() {
  return useFormCall(
    async (name: string) => {
      const options = await api(authFactorsApi.passkeyRegistration, {})
      const response = await createPasskey(options)
      return api(authFactorsApi.addPasskey, { body: { response, name } })
    },
    async (client) => {
      message.success('Ключ доступа добавлен')
      await Promise.all([client.invalidateQueries({ queryKey: passkeysQuery.queryKey }), refreshSession(client)])
    },
  )
}

export function useRenamePasskey() {
  return useFormCall(
    (body: { id: string; name: string }) => api(authFactorsApi.renamePasskey, { body }),
    (client) => client.invalidateQueries({ queryKey: passkeysQuery.queryKey }),
  )
}

export function useDeletePasskey() {
  return useFormCall(
    (id: string) => api(authFactorsApi.deletePasskey, { body: { id } }),
    async (client) => {
      message.success('Ключ доступа удалён')
      await Promise.all([client.invalidateQueries({ queryKey: passkeysQuery.queryKey }), refreshSession(client)])
    },
  )
}
