import { canUsePasskeys } from '#web/lib/can-use-passkeys.ts'
import { pageConfig } from '#web/lib/page-state.ts'
import { refreshSession } from '#web/lib/session.ts'
import { useFormCall } from '#web/lib/use-form-call.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/callout.tsx'
import { useSocialSignIn } from './queries.ts'

/** Hidden in browsers without passkeys. The passkey code is loaded on the first click. */
export function PasskeyButton() {
  const signIn = useFormCall(async () => (await import('./passkey-sign-in.ts')).signInWithPasskey(), refreshSession)
  if (!canUsePasskeys()) return null
  return (
    <div className="flex flex-col gap-4">
      <Button busy={signIn.isPending} onClick={() => signIn.mutate(undefined)}>
        Войти с ключом доступа
      </Button>
      <ErrorNote text={signIn.errors.form} />
    </div>
  )
}

/** Hidden when no provider is configured. */
export function SocialButtons() {
  const signIn = useSocialSignIn()
  const { socialProviders } = pageConfig()
  // After a success the browser is already navigating to the provider.
  const leavingFor = signIn.isPending || signIn.isSuccess ? signIn.variables : null
  if (socialProviders.length === 0) return null
  return (
    <div className="flex flex-col gap-3">
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-2">
        {socialProviders.map(({ id, name }) => (
          <li key={id} className="grid">
            <Button busy={leavingFor === id} disabled={leavingFor !== null} onClick={() => signIn.mutate(id)}>
              {name}
            </Button>
          </li>
        ))}
      </ul>
      <ErrorNote text={signIn.errors.form} />
    </div>
  )
}
