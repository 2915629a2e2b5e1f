import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { authFactorsApi, type Proof, type ProofWay } from '#contract/auth-factors.ts'
import { api } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { canUsePasskeys } from '#web/lib/can-use-passkeys.ts'
import { formErrorsOf } from '#web/lib/form-errors.ts'
import { answerWithPasskey } from '#web/lib/passkey.ts'
import { useFormCall } from '#web/lib/use-form-call.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/callout.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { CallForm } from '#web/ui/form/call-form.tsx'
import { CodeField } from '#web/ui/form/code-field.tsx'
import { PasswordField } from '#web/ui/form/password-field.tsx'
import { KeyRound } from '#web/ui/icons.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { readCode, readRecoveryCode } from './read-code.ts'

interface ProofDialogProps {
  onDone: (proven: boolean) => void
}

export function ProofDialog({ onDone }: ProofDialogProps) {
  const proof = useQuery(proofQuery)
  return (
    <Dialog open onClose={() => onDone(false)} title="Подтвердите, что это вы">
      <p className="mb-4 text-pretty text-muted">
        Для таких действий просим подтвердить вход, если прошло больше 15 минут. Потом действие продолжится само.
      </p>
      {proof.data ? <Ways proof={proof.data} onProven={() => onDone(true)} /> : <Skeleton className="h-24" />}
      <ErrorNote text={formErrorsOf(proof.error).form} />
    </Dialog>
  )
}

const labels: Record<ProofWay, string> = {
  code: 'Кодом из приложения',
  passkey: 'Ключом доступа',
  password: 'Паролем',
  email: 'Кодом из письма',
}

function Ways({ proof, onProven }: { proof: Proof; onProven: () => void }) {
  const ways = proof.ways.filter((way) => way !== 'passkey' || canUsePasskeys())
  const [chosen, setChosen] = useState<ProofWay | null>(null)
  const way = chosen ?? ways[0]
  if (!way) return <p>Подтвердить сейчас нечем. Выйдите и войдите заново.</p>
  const others = ways.filter((other) => other !== way)
  return (
    <div className="flex flex-col gap-4">
      {way === 'code' && <ByApp onProven={onProven} />}
      {way === 'passkey' && <ByPasskey onProven={onProven} />}
      {way === 'password' && <ByPassword onProven={onProven} />}
      {way === 'email' && <ByEmail email={proof.email} onProven={onProven} />}
      {others.length > 0 && (
        <div className="flex flex-wrap gap-2 border-t pt-4">
          {others.map((other) => (
            <Button key={other} variant="ghost" size="sm" onClick={() => setChosen(other)}>
              {labels[other]}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}

interface WayProps {
  onProven: () => void
}

function ByApp({ onProven }: WayProps) {
  const prove = useProveByApp()
  const [code, setCode] = useState('')
  return (
    <CallForm call={prove} submit="Подтвердить" onSubmit={() => prove.mutate(code, { onSuccess: onProven })}>
      <TextField
        label="Код из приложения"
        hint="Нет доступа к приложению? Подойдёт код восстановления."
        name="code"
        autoComplete="one-time-code"
        spellCheck={false}
        value={code}
        onChange={(event) => setCode(event.target.value)}
        className="font-mono tracking-widest"
      />
    </CallForm>
  )
}

function ByPasskey({ onProven }: WayProps) {
  const prove = useProveByPasskey()
  return (
    <>
      <ErrorNote text={prove.errors.form} />
      <Button
        variant="primary"
        icon={<KeyRound size={18} />}
        busy={prove.isPending}
        onClick={() => prove.mutate(undefined, { onSuccess: onProven })}
      >
        Подтвердить ключом доступа
      </Button>
    </>
  )
}

function ByPassword({ onProven }: WayProps) {
  const prove = useProveByPassword()
  const [password, setPassword] = useState('')
  return (
    <CallForm call={prove} submit="Подтвердить" onSubmit={() => prove.mutate(password, { onSuccess: onProven })}>
      <PasswordField
        label="Пароль"
        name="password"
        value={password}
        onChange={setPassword}
        error={prove.errors.password}
      />
    </CallForm>
  )
}

function ByEmail({ email, onProven }: WayProps & { email: string }) {
  const send = useSendProofCode()
  const prove = useProveByEmail()
  const [code, setCode] = useState('')
  if (!send.isSuccess)
    return (
      <>
        <p className="text-pretty">
          Пришлём код на <strong className="font-medium wrap-anywhere">{email}</strong>.
        </p>
        <ErrorNote text={send.errors.form} />
        <Button variant="primary" busy={send.isPending} onClick={() => send.mutate(undefined)}>
          Прислать код
        </Button>
      </>
    )
  return (
    <CallForm call={prove} submit="Подтвердить" onSubmit={() => prove.mutate(code, { onSuccess: onProven })}>
      <CodeField
        label="Код из письма"
        hint={`Отправили на ${email}. Код работает 10 минут.`}
        value={code}
        onChange={setCode}
      />
    </CallForm>
  )
}

export const proofQuery = callQuery(['proof'], authFactorsApi.proof, {}, { staleTime: 0, gcTime: 0 })

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
