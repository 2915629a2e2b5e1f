import { authFactorsApi } from '#contract/auth-factors.ts'
import { api } from '#web/lib/api.ts'
import { answerWithPasskey } from '#web/lib/passkey.ts'

export async function signInWithPasskey() {
  const response = await answerWithPasskey(await api(authFactorsApi.passkeySignIn, {}))
  return api(authFactorsApi.signInPasskey, { body: { response } })
}
