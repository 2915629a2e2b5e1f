import { type ReactNode, useState } from 'react'
import { PASSWORD_MIN } from '#contract/auth.ts'
import { Button } from '#web/ui/button.tsx'
import { NewPasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { FormError } from './form-error.tsx'
import { useAskForLink, useForgottenPassword, usePasswordSignIn, useResetPassword, useSignUp } from './queries.ts'

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

interface PasswordFormProps {
  email: string
  onEmail: (email: string) => void
  /** A link to the password reset. */
  forgotten: ReactNode
}

export function PasswordForm({ email, onEmail, forgotten }: PasswordFormProps) {
  const signIn = usePasswordSignIn()
  const [password, setPassword] = useState('')
  const [rememberMe, setRememberMe] = useState(true)
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        signIn.mutate({ email, password, rememberMe })
      }}
    >
      <EmailField value={email} onChange={onEmail} error={signIn.errors.email} autoComplete="username" />
      <TextField
        label="Пароль"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={signIn.errors.password ?? signIn.errors.newPassword ?? null}
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
      <FormError text={signIn.errors.form} />
      <Button type="submit" variant="primary" busy={signIn.isPending}>
        Войти
      </Button>
    </form>
  )
}

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

interface ResetPasswordFormProps {
  token: string
  onDone: () => void
}

export function ResetPasswordForm({ token, onDone }: ResetPasswordFormProps) {
  const reset = useResetPassword()
  const [newPassword, setNewPassword] = useState('')
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        reset.mutate({ newPassword, token }, { onSuccess: onDone })
      }}
    >
      <NewPasswordField
        atLeast={PASSWORD_MIN}
        label="Новый пароль"
        value={newPassword}
        onChange={setNewPassword}
        error={reset.errors.newPassword}
      />
      <FormError text={reset.errors.form} />
      <Button type="submit" variant="primary" busy={reset.isPending}>
        Сохранить пароль
      </Button>
    </form>
  )
}

interface EmailFieldProps {
  value: string
  onChange: (email: string) => void
  error: string | undefined
  /** `username` when the form has a password too: password managers store them as a pair. */
  autoComplete?: 'email' | 'username'
}

function EmailField({ value, onChange, error, autoComplete = 'email' }: EmailFieldProps) {
  return (
    <TextField
      label="Электронная почта"
      name="email"
      type="email"
      inputMode="email"
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      placeholder="anna@mail.ru"
      required
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={error ?? null}
    />
  )
}
