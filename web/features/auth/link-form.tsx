import { Button } from '#web/ui/button.tsx'
import { EmailField } from './email-field.tsx'
import { FormError } from './form-error.tsx'
import { useAskForLink } from './queries.ts'

interface LinkFormProps {
  email: string
  onEmail: (email: string) => void
  onSent: (email: string) => void
}

export function LinkForm({ email, onEmail, onSent }: LinkFormProps) {
  const ask = useAskForLink()
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        ask.mutate({ email }, { onSuccess: onSent })
      }}
    >
      <EmailField value={email} onChange={onEmail} error={ask.errors.email} />
      <FormError text={ask.errors.form} />
      <Button type="submit" variant="primary" busy={ask.isPending}>
        Получить ссылку для входа
      </Button>
    </form>
  )
}
