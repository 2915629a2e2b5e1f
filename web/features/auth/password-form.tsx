import { type ReactNode, useState } from 'react'
import { EmailField } from '#web/ui/form/account-fields.tsx'
import { CallForm } from '#web/ui/form/call-form.tsx'
import { PasswordField } from '#web/ui/form/password-field.tsx'
import { usePasswordSignIn } from './queries.ts'
import type { EmailProps } from './sign-in-forms.tsx'

interface PasswordFormProps extends EmailProps {
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
