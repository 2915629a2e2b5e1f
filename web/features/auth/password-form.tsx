import { type ReactNode, useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { EmailField } from './email-field.tsx'
import { FormError } from './form-error.tsx'
import { usePasswordSignIn } from './queries.ts'

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
