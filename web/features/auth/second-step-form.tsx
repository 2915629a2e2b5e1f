import { useState } from 'react'
import { TRUSTED_DAYS } from '#contract/auth-factors.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { CodeField } from './code-field.tsx'
import { useSecondStep } from './factor-queries.ts'
import { FormError } from './form-error.tsx'

export function SecondStepForm() {
  const step = useSecondStep()
  const [code, setCode] = useState('')
  const [isRecovery, setIsRecovery] = useState(false)
  const [trustDevice, setTrustDevice] = useState(false)
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        step.mutate({ code, isRecovery, trustDevice })
      }}
    >
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
      <FormError text={step.errors.form} />
      <Button type="submit" variant="primary" busy={step.isPending}>
        Продолжить
      </Button>
      <Button
        variant="ghost"
        onClick={() => {
          setIsRecovery(!isRecovery)
          setCode('')
          step.reset()
        }}
      >
        {isRecovery ? 'Ввести код из приложения' : 'Нет доступа к приложению'}
      </Button>
    </form>
  )
}
