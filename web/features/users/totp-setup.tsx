import { useEffect, useState } from 'react'
import type { Enrolment } from '#contract/auth-factors.ts'
import { deviceOf } from '#contract/device-name.ts'
import { copyAndReport } from '#web/lib/copy-text.ts'
import { Button } from '#web/ui/button.tsx'
import { buttonStyle } from '#web/ui/button-style.ts'
import { CodeField } from '#web/ui/form/code-field.tsx'
import { Copy } from '#web/ui/icons.ts'
import { QrImage } from '#web/ui/qr-code.tsx'
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

interface FirstCodeProps {
  enrolment: Enrolment
  onDone: () => void
}

function FirstCode({ enrolment, onDone }: FirstCodeProps) {
  const confirm = useConfirmTotp()
  const [code, setCode] = useState('')
  const isHandheld = deviceOf(navigator.userAgent).isHandheld
  return (
    <AccountForm call={confirm} submit="Включить" onSubmit={() => confirm.mutate(code, { onSuccess: onDone })}>
      {isHandheld ? <KeyForThisPhone enrolment={enrolment} /> : <KeyForAnotherDevice enrolment={enrolment} />}
      <CodeField label="Код из приложения" value={code} onChange={setCode} />
    </AccountForm>
  )
}

const APPS = <>например, Яндекс&nbsp;Ключ или Google&nbsp;Authenticator</>

/** A phone cannot scan its own screen, so the key goes to the app by a link or by copying. */
function KeyForThisPhone({ enrolment: { qr, key, totpURI } }: { enrolment: Enrolment }) {
  return (
    <>
      <p className="text-pretty">Добавьте ключ в приложение для кодов на этом телефоне ({APPS}).</p>
      <div className="flex flex-col gap-2">
        <a href={totpURI} className={buttonStyle('primary', 'md')}>
          Открыть в приложении
        </a>
        <CopyKey keyText={key} />
      </div>
      <details className="text-sm">
        <summary className="cursor-pointer text-muted">Приложение на другом устройстве</summary>
        <QrImage svg={qr} alt="QR-код с ключом для приложения" />
        <KeyText keyText={key} />
      </details>
    </>
  )
}

function KeyForAnotherDevice({ enrolment: { qr, key } }: { enrolment: Enrolment }) {
  return (
    <>
      <p className="text-pretty">Откройте приложение для кодов ({APPS}) и наведите его на картинку.</p>
      <QrImage svg={qr} alt="QR-код с ключом для приложения" />
      <div className="text-sm">
        <p className="text-muted">Не получается? Введите ключ в приложение сами:</p>
        <KeyText keyText={key} />
      </div>
      <CopyKey keyText={key} />
    </>
  )
}

const KeyText = ({ keyText }: { keyText: string }) => (
  <p className="mt-1 font-mono wrap-anywhere select-all">{keyText.match(/.{1,4}/g)?.join(' ')}</p>
)

function CopyKey({ keyText }: { keyText: string }) {
  const copy = () =>
    void copyAndReport(keyText, 'Ключ скопирован', 'Браузер не дал скопировать. Выделите ключ и скопируйте сами.')
  return (
    <Button icon={<Copy size={18} />} onClick={copy}>
      Скопировать ключ
    </Button>
  )
}
