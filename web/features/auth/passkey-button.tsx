import { canUsePasskeys } from '#web/lib/can-use-passkeys.ts'
import { refreshSession } from '#web/lib/session.ts'
import { Button } from '#web/ui/button.tsx'
import { FormError } from './form-error.tsx'
import { useFormCall } from './queries.ts'

/** Hidden in browsers without passkeys. The passkey code is loaded on the first click. */
export function PasskeyButton() {
  const signIn = useFormCall(async () => (await import('./passkey-sign-in.ts')).signInWithPasskey(), refreshSession)
  if (!canUsePasskeys()) return null
  return (
    <div className="mt-6 flex flex-col gap-4">
      <Button busy={signIn.isPending} onClick={() => signIn.mutate(undefined)}>
        Войти с ключом доступа
      </Button>
      <FormError text={signIn.errors.form} />
    </div>
  )
}
