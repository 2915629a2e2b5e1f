import { Button } from '#web/ui/button.tsx'
import { EmailField } from './email-field.tsx'
import { FormError } from './form-error.tsx'
import { useForgottenPassword } from './queries.ts'

interface ForgottenPasswordFormProps {
  email: string
  onEmail: (email: string) => void
  onSent: (email: string) => void
}

export function ForgottenPasswordForm({ email, onEmail, onSent }: ForgottenPasswordFormProps) {
  const ask = useForgottenPassword()
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        ask.mutate({ email }, { onSuccess: onSent })
      }}
    >
      <EmailField value={email} onChange={onEmail} error={ask.errors.email} autoComplete="username" />
      <FormError text={ask.errors.form} />
      <Button type="submit" variant="primary" busy={ask.isPending}>
        Отправить письмо
      </Button>
    </form>
  )
}
