import { KeyRound } from 'lucide-react'
import { canUsePasskeys } from '#web/lib/passkey.ts'
import { Button } from '#web/ui/button.tsx'
import { usePasskeySignIn } from './factor-queries.ts'
import { FormFault } from './form-fault.tsx'

/** Nothing at all in a browser that has no passkeys. */
export function PasskeyButton() {
  const signIn = usePasskeySignIn()
  if (!canUsePasskeys()) return null
  return (
    <div className="mt-6 flex flex-col gap-3">
      <Button
        icon={<KeyRound size={18} aria-hidden="true" />}
        busy={signIn.isPending}
        onClick={() => signIn.mutate(undefined)}
      >
        Войти с ключом доступа
      </Button>
      <FormFault text={signIn.fault.form} />
    </div>
  )
}
