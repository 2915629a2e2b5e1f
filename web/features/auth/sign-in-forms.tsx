import { type ReactNode, useState } from 'react'
import { EmailField, NewPasswordForm, PasswordField } from '#web/ui/form/account-fields.tsx'
import { CallForm } from '#web/ui/form/call-form.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useAskForLink, useForgottenPassword, usePasswordSignIn, useResetPassword, useSignUp } from './queries.ts'

interface EmailProps {
  email: string
  onEmail: (email: string) => void
}

interface EmailFormProps extends EmailProps {
  onSent: (email: string) => void
}

/** A form with only an email address, to which a link is sent. */
interface LinkRequestProps extends EmailFormProps {
  call: ReturnType<typeof useAskForLink>
  submit: string
  autoComplete: 'email' | 'username'
}

function LinkRequest({ call, submit, autoComplete, email, onEmail, onSent }: LinkRequestProps) {
  return (
    <CallForm call={call} submit={submit} onSubmit={() => call.mutate({ email }, { onSuccess: onSent })}>
      <EmailField value={email} onChange={onEmail} error={call.errors.email} autoComplete={autoComplete} />
    </CallForm>
  )
}

export function LinkForm(props: EmailFormProps) {
  return <LinkRequest {...props} call={useAskForLink()} submit="Получить ссылку для входа" autoComplete="email" />
}

export function ForgottenPasswordForm(props: EmailFormProps) {
  return <LinkRequest {...props} call={useForgottenPassword()} submit="Отправить письмо" autoComplete="username" />
}

interface PasswordFormProps extends EmailProps {
  /** A link to the password reset. */
  forgotten: ReactNode
}

export function PasswordForm({ email, onEmail, forgotten }: PasswordFormProps) {
  const signIn = usePasswordSignIn()
  const [password, setPassword] = useState('')
  const [rememberMe, setRememberMe] = useState(true)
  return (
    <CallForm call={signIn} submit="Войти" onSubmit={() => signIn.mutate({ email, password, rememberMe })}>
      <EmailField value={email} onChange={onEmail} error={signIn.errors.email} autoComplete="username" />
      <PasswordField
        label="Пароль"
        name="password"
        value={password}
        onChange={setPassword}
        error={signIn.errors.password ?? signIn.errors.newPassword}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-[15px]">
        <label className="inline-flex items-center gap-2">
          <input
            type="checkbox"
            name="rememberMe"
            checked={rememberMe}
            onChange={(event) => setRememberMe(event.target.checked)}
            className="size-4 accent-accent"
          />
          Запомнить меня
        </label>
        {forgotten}
      </div>
    </CallForm>
  )
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
