import { authFactorsApi } from '#contract/auth-factors.ts'
import { api } from '#web/lib/api.ts'

/** When even this cannot be asked, the file's own address says what is wrong. */
export async function isProofFresh(): Promise<boolean> {
  try {
    return (await api(authFactorsApi.proof, {})).fresh
  } catch {
    return true
  }
}
