import { useState } from 'react'
import { EmailField } from '#web/ui/form/account-fields.tsx'
import { NewPasswordForm } from '#web/ui/form/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useForgottenPassword, useResetPassword, useSignUp } from './account-queries.ts'
import { type EmailFormProps, type EmailProps, LinkRequest } from './sign-in-forms.tsx'

export function ForgottenPasswordForm({ submit = 'Отправить письмо', ...props }: EmailFormProps & { submit?: string }) {
  return <LinkRequest {...props} call={useForgottenPassword()} submit={submit} autoComplete="username" />
}

interface SignUpFormProps extends EmailProps {
  onDone: (email: string) => void
}

export function SignUpForm({ email, onEmail, onDone }: SignUpFormProps) {
  const signUp = useSignUp()
  const [name, setName] = useState('')
  return (
    <NewPasswordForm
      call={signUp}
      label="Пароль"
      submit="Создать аккаунт"
      onSubmit={(password) => signUp.mutate({ name, email, password }, { onSuccess: onDone })}
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
    </NewPasswordForm>
  )
}

interface ResetPasswordFormProps {
  token: string
  onDone: () => void
}

export function ResetPasswordForm({ token, onDone }: ResetPasswordFormProps) {
  const reset = useResetPassword()
  return (
    <NewPasswordForm
      call={reset}
      label="Новый пароль"
      submit="Сохранить пароль"
      onSubmit={(newPassword) => reset.mutate({ newPassword, token }, { onSuccess: onDone })}
    />
  )
}
