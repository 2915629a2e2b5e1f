import { useEffect, useState } from 'react'
import type { Enrolment } from '#contract/auth-factors.ts'
import { CodeField } from '#web/ui/form/code-field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { AccountError, AccountForm } from './account-form.tsx'
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
    <AccountForm call={confirm} submit="Включить" onSubmit={() => confirm.mutate(code, { onSuccess: onDone })}>
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
      <CodeField label="Код из приложения" value={code} onChange={setCode} />
    </AccountForm>
  )
}
