import { useSignOut } from '#web/features/auth/queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'

interface QueryErrorNoteProps {
  errors: { form?: string; needsSignIn?: boolean }
  onRetry?: () => void
}

/** A failure where it happened, with the way on: signing in anew, or trying again. */
export function QueryErrorNote({ errors, onRetry }: QueryErrorNoteProps) {
  const signOut = useSignOut()
  if (!errors.form) return null
  return (
    <Callout
      tone="danger"
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
    >
      {errors.form}
    </Callout>
  )
}
