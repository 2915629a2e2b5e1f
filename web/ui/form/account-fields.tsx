import { type ComponentProps, type ReactNode, useState } from 'react'
import { PASSWORD_MIN } from '#contract/auth.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { CallForm, type CallFormProps } from './call-form.tsx'

export interface AccountFieldProps {
  label: string
  hint?: string | null
  value: string
  onChange: (value: string) => void
  error?: string | undefined
}

type InputProps = Omit<ComponentProps<typeof TextField>, keyof AccountFieldProps>

export function AccountField({ onChange, ...rest }: AccountFieldProps & InputProps) {
  return <TextField required onChange={(event) => onChange(event.target.value)} {...rest} />
}

interface EmailFieldProps extends Omit<AccountFieldProps, 'label'> {
  label?: string
  placeholder?: string
  /** `username` when the form has a password too: password managers store them as a pair. */
  autoComplete?: 'email' | 'username'
}

export function EmailField(props: EmailFieldProps) {
  return (
    <AccountField
      label="Электронная почта"
      placeholder="anna@mail.ru"
      name="email"
      type="email"
      inputMode="email"
      autoComplete="email"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  )
}

export function PasswordField(props: AccountFieldProps & { name?: string }) {
  return <AccountField name="current-password" type="password" autoComplete="current-password" {...props} />
}

interface NewPasswordFormProps extends Omit<CallFormProps, 'onSubmit' | 'children'> {
  label: string
  onSubmit: (password: string) => void
  children?: ReactNode
}

/** A form that sets a password; its other fields are the children. */
export function NewPasswordForm({ label, onSubmit, children, ...form }: NewPasswordFormProps) {
  const [password, setPassword] = useState('')
  const error = form.call.errors.newPassword
  const hint = `Не меньше ${PASSWORD_MIN}\u00a0знаков. Длинная фраза надёжнее набора значков.`
  return (
    <CallForm {...form} onSubmit={() => onSubmit(password)}>
      {children}
      <AccountField
        label={label}
        hint={error ? null : hint}
        name="new-password"
        type="password"
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        error={error}
      />
    </CallForm>
  )
}
