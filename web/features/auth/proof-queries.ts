import { queryOptions } from '@tanstack/react-query'
import { authFactorsApi } from '#contract/auth-factors.ts'
import { api } from '#web/lib/api.ts'
import { answerWithPasskey } from '#web/lib/passkey.ts'
import { useFormCall } from './queries.ts'
import { readCode, readRecoveryCode } from './read-code.ts'

export const proofQuery = queryOptions({
  queryKey: ['proof'],
  queryFn: ({ signal }) => api(authFactorsApi.proof, {}, { signal }),
  staleTime: 0,
  gcTime: 0,
  meta: { silent: true },
})

export function useProveByApp() {
  return useFormCall((typed: string) =>
    /^[\d\s]*$/.test(typed)
      ? api(authFactorsApi.verifyTotp, { body: { code: readCode(typed) } })
      : api(authFactorsApi.verifyBackupCode, { body: { code: readRecoveryCode(typed) } }),
  )
}

export function useProveByPasskey() {
  return useFormCall(async () => {
    const response = await answerWithPasskey(await api(authFactorsApi.passkeySignIn, {}))
    return api(authFactorsApi.provePasskey, { body: { response } })
  })
}

export function useProveByPassword() {
  return useFormCall((password: string) => api(authFactorsApi.provePassword, { body: { password } }))
}

export function useSendProofCode() {
  return useFormCall(() => api(authFactorsApi.sendProofCode, {}))
}

export function useProveByEmail() {
  return useFormCall((typed: string) => api(authFactorsApi.proveCode, { body: { code: readCode(typed) } }))
}
