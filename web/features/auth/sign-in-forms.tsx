import type { ReactNode } from 'react'
import { EmailField } from '#web/ui/form/account-fields.tsx'
import { CallForm } from '#web/ui/form/call-form.tsx'
import { useRequestSignInLink } from './queries.ts'

export interface EmailProps {
  email: string
  onEmail: (email: string) => void
}

export interface EmailFormProps extends EmailProps {
  onSent: (email: string) => void
}

/** A form with only an email address, to which a link is sent. */
interface LinkRequestProps extends EmailFormProps {
  call: ReturnType<typeof useRequestSignInLink>
  submit: string
  autoComplete: 'email' | 'username'
  children?: ReactNode
}

export function LinkRequest({ call, submit, autoComplete, email, onEmail, onSent, children }: LinkRequestProps) {
  return (
    <CallForm call={call} submit={submit} onSubmit={() => call.mutate({ email }, { onSuccess: onSent })}>
      <EmailField value={email} onChange={onEmail} error={call.errors.email} autoComplete={autoComplete} />
      {children}
    </CallForm>
  )
}

interface LinkFormProps extends EmailFormProps {
  submit?: string
  children?: ReactNode
}

export function LinkForm({ submit = 'Получить код', ...props }: LinkFormProps) {
  return <LinkRequest {...props} call={useRequestSignInLink()} submit={submit} autoComplete="email" />
}
