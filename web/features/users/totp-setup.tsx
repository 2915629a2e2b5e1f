import { useEffect, useState } from 'react'
import type { Enrolment } from '#contract/auth-factors.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { AccountError } from './account-error.tsx'
import { useConfirmTotp, useStartTotp } from './factor-queries.ts'
import { RecoveryCodes } from './recovery-codes.tsx'

/** Setup steps: key into the app, first code to confirm, then the recovery codes. */
export function TotpSetup({ onClose }: { onClose: () => void }) {
  const { mutate, data, errors } = useStartTotp()
  const [isOn, setIsOn] = useState(false)
  useEffect(() => mutate(undefined), [mutate])
  if (errors.form) return <AccountError errors={errors} onRetry={() => mutate(undefined)} />
  if (!data) return <Skeleton className="h-64" />
  return isOn ? (
    <RecoveryCodes codes={data.backupCodes} onClose={onClose} />
  ) : (
    <FirstCode enrolment={data} onDone={() => setIsOn(true)} />
  )
}

function FirstCode({ enrolment: { qr, key }, onDone }: { enrolment: Enrolment; onDone: () => void }) {
  const confirm = useConfirmTotp()
  const [code, setCode] = useState('')
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        confirm.mutate(code, { onSuccess: onDone })
      }}
    >
      <p className="text-pretty">
        Откройте приложение для кодов (например, Яндекс&nbsp;Ключ или Google&nbsp;Authenticator) и наведите его на
        картинку.
      </p>
      <img
        src={`data:image/svg+xml,${encodeURIComponent(qr)}`}
        alt="QR-код с ключом для приложения"
        className="mx-auto size-48 rounded-md bg-white"
      />
      <div className="text-sm">
        <p className="text-muted">Не получается? Введите ключ в приложение сами:</p>
        <p className="mt-1 font-mono wrap-anywhere select-all">{key.match(/.{1,4}/g)?.join(' ')}</p>
      </div>
      <TextField
        label="Код из приложения"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={9}
        value={code}
        onChange={(event) => setCode(event.target.value)}
        className="font-mono tracking-widest"
      />
      <AccountError errors={confirm.errors} />
      <Button type="submit" variant="primary" busy={confirm.isPending}>
        Включить
      </Button>
    </form>
  )
}
