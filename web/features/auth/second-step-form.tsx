import { useState } from 'react'
import { authFactorsApi, TRUSTED_DAYS } from '#contract/auth-factors.ts'
import { api } from '#web/lib/api.ts'
import { refreshSession } from '#web/lib/session.ts'
import { useFormCall } from '#web/lib/use-form-call.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { CallForm } from '#web/ui/form/call-form.tsx'
import { CodeField } from '#web/ui/form/code-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { readCode, readRecoveryCode } from './read-code.ts'

export function SecondStepForm() {
  const step = useSecondStep()
  const [code, setCode] = useState('')
  const [isRecovery, setIsRecovery] = useState(false)
  const [trustDevice, setTrustDevice] = useState(false)
  const other = isRecovery ? 'Ввести код из приложения' : 'Нет доступа к приложению'
  return (
    <div className="flex flex-col gap-4">
      <CallForm call={step} submit="Продолжить" onSubmit={() => step.mutate({ code, isRecovery, trustDevice })}>
        {isRecovery ? (
          <TextField
            label="Код восстановления"
            hint="Один из десяти, которые вы сохранили. Каждый действует один раз."
            name="recovery"
            autoComplete="off"
            spellCheck={false}
            value={code}
            onChange={(event) => setCode(event.target.value)}
            className="font-mono"
          />
        ) : (
          <CodeField label="Код из приложения" value={code} onChange={setCode} />
        )}
        <Checkbox
          label={`Не спрашивать на этом устройстве ${TRUSTED_DAYS}\u00a0дней`}
          checked={trustDevice}
          onChange={setTrustDevice}
        />
      </CallForm>
      <Button
        variant="ghost"
        onClick={() => {
          setIsRecovery(!isRecovery)
          setCode('')
          step.reset()
        }}
      >
        {other}
      </Button>
    </div>
  )
}

interface Step {
  code: string
  isRecovery: boolean
  trustDevice: boolean
}

function useSecondStep() {
  return useFormCall(({ code, isRecovery, trustDevice }: Step) => {
    const body = { code: isRecovery ? readRecoveryCode(code) : readCode(code), trustDevice }
    return api(isRecovery ? authFactorsApi.verifyBackupCode : authFactorsApi.verifyTotp, { body })
  }, refreshSession)
}
