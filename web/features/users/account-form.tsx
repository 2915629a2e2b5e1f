import { useSignOut } from '#web/features/auth/queries.ts'
import type { FormCall } from '#web/lib/use-form-call.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/callout.tsx'
import { CallForm, type CallFormProps } from '#web/ui/form/call-form.tsx'

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

interface AccountFormFooterProps {
  call: FormCall
  submit: string
  isDanger?: boolean
  isReady?: boolean
  cancel?: { label: string; onClick: () => void }
}

export function AccountFormFooter(props: AccountFormFooterProps) {
  const { call, submit, isDanger = false, isReady = true, cancel } = props
  const button = (
    <Button type="submit" variant={isDanger ? 'danger' : 'primary'} busy={call.isPending} disabled={!isReady}>
      {submit}
    </Button>
  )
  return (
    <>
      <AccountError errors={call.errors} />
      {cancel ? (
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="ghost" onClick={cancel.onClick}>
            {cancel.label}
          </Button>
          {button}
        </div>
      ) : (
        button
      )}
    </>
  )
}

/** A form of the profile that makes one call. */
export function AccountForm(props: AccountFormFooterProps & Pick<CallFormProps, 'onSubmit' | 'children'>) {
  const { call, submit, onSubmit, children } = props
  return (
    <CallForm call={call} submit={submit} onSubmit={onSubmit} footer={<AccountFormFooter {...props} />}>
      {children}
    </CallForm>
  )
}

/** A hidden field by which password managers know the account. */
export function AccountName({ email }: { email: string }) {
  return <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
}
