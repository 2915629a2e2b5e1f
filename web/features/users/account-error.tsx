import { useSignOut } from '#web/features/auth/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/query-error.tsx'

interface AccountErrorProps {
  errors: { form?: string; needsSignIn?: boolean }
  onRetry?: () => void
}

/** The error of an account form; when the session is too old for the change, with a button to sign in again. */
export function AccountError({ errors, onRetry }: AccountErrorProps) {
  const signOut = useSignOut()
  return (
    <ErrorNote
      text={errors.form}
      action={
        errors.needsSignIn ? (
          <Button size="sm" busy={signOut.isPending} onClick={() => signOut.mutate()}>
            Выйти и войти заново
          </Button>
        ) : (
          onRetry && (
            <Button size="sm" onClick={onRetry}>
              Повторить
            </Button>
          )
        )
      }
    />
  )
}
