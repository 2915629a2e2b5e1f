import { authFactorsApi } from '#contract/auth-factors.ts'
import { api } from '#web/lib/api.ts'
import { refreshSession } from '#web/lib/session.ts'
import { useFormCall } from './queries.ts'
import { readCode, readRecoveryCode } from './read-code.ts'

interface Step {
  code: string
  isRecovery: boolean
  trustDevice: boolean
}

export function useSecondStep() {
  return useFormCall(({ code, isRecovery, trustDevice }: Step) => {
    const body = { code: isRecovery ? readRecoveryCode(code) : readCode(code), trustDevice }
    return api(isRecovery ? authFactorsApi.verifyBackupCode : authFactorsApi.verifyTotp, { body })
  }, refreshSession)
}
