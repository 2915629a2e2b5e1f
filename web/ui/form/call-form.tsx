import type { ReactNode } from 'react'
import type { FormCall } from '#web/lib/use-form-call.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/query-error.tsx'

export interface CallFormProps {
  call: FormCall
  onSubmit: () => void
  /** The text of the button that sends the form. */
  submit: string
  isDanger?: boolean
  isReady?: boolean
  /** A second button, for forms in a dialog. */
  cancel?: { label: string; onClick: () => void }
  /** Shown instead of the plain error text of the call. */
  error?: ReactNode
  children: ReactNode
}

/** A short form that makes one call: fields, the error of the call, and the button. */
export function CallForm(props: CallFormProps) {
  const { call, onSubmit, submit, isDanger = false, isReady = true, cancel, error, children } = props
  const button = (
    <Button type="submit" variant={isDanger ? 'danger' : 'primary'} busy={call.isPending} disabled={!isReady}>
      {submit}
    </Button>
  )
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      {error ?? <ErrorNote text={call.errors.form} />}
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
    </form>
  )
}
