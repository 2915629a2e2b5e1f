import type { ReactNode } from 'react'
import type { FormCall } from '#web/lib/use-form-call.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/callout.tsx'

export interface CallFormProps {
  call: FormCall
  onSubmit: () => void
  submit: string
  /** Shown instead of the plain error and button. */
  footer?: ReactNode
  children: ReactNode
}

/** A short form that makes one call: fields, the error of the call, and the button. */
export function CallForm({ call, onSubmit, submit, footer, children }: CallFormProps) {
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
      {footer ?? (
        <>
          <ErrorNote text={call.errors.form} />
          <Button type="submit" variant="primary" busy={call.isPending}>
            {submit}
          </Button>
        </>
      )}
    </form>
  )
}
