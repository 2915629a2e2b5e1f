import { useState } from 'react'
import { PASSWORD_MIN } from '#contract/auth.ts'
import { Button } from '#web/ui/button.tsx'
import { NewPasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { EmailField } from './email-field.tsx'
import { FormError } from './form-error.tsx'
import { useSignUp } from './queries.ts'

interface SignUpFormProps {
  email: string
  onEmail: (email: string) => void
  onDone: (email: string) => void
}

export function SignUpForm({ email, onEmail, onDone }: SignUpFormProps) {
  const signUp = useSignUp()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        signUp.mutate({ name, email, password }, { onSuccess: onDone })
      }}
    >
      <TextField
        label="Как вас зовут"
        hint="Можно не указывать."
        name="name"
        autoComplete="name"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <EmailField value={email} onChange={onEmail} error={signUp.errors.email} autoComplete="username" />
      <NewPasswordField
        atLeast={PASSWORD_MIN}
        label="Пароль"
        value={password}
        onChange={setPassword}
        error={signUp.errors.newPassword}
      />
      <FormError text={signUp.errors.form} />
      <Button type="submit" variant="primary" busy={signUp.isPending}>
        Создать аккаунт
      </Button>
    </form>
  )
}
