import { type ComponentProps, type ReactNode, useState } from 'react'
import { PASSWORD_MIN } from '#contract/auth.ts'
import { TextField } from '#web/ui/text-field.tsx'
import { CallForm, type CallFormProps } from './call-form.tsx'

interface AccountFieldProps {
  label: string
  hint?: string
  value: string
  onChange: (value: string) => void
  error?: string | undefined
}

type InputProps = Omit<ComponentProps<typeof TextField>, keyof AccountFieldProps>

function AccountField({ onChange, error, ...rest }: AccountFieldProps & InputProps) {
  return <TextField required onChange={(event) => onChange(event.target.value)} error={error ?? null} {...rest} />
}

interface EmailFieldProps extends Omit<AccountFieldProps, 'label'> {
  label?: string
  placeholder?: string
  /** `username` when the form has a password too: password managers store them as a pair. */
  autoComplete?: 'email' | 'username'
}

export function EmailField({ label = 'Электронная почта', autoComplete = 'email', ...rest }: EmailFieldProps) {
  return (
    <AccountField
      label={label}
      name="email"
      type="email"
      inputMode="email"
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      {...rest}
    />
  )
}

/** Six digits; `one-time-code` lets phones suggest the received one. */
export function CodeField(props: AccountFieldProps) {
  return (
    <AccountField
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={9}
      className="font-mono tracking-widest"
      {...props}
    />
  )
}

export function PasswordField({ name = 'current-password', ...rest }: AccountFieldProps & { name?: string }) {
  return <AccountField name={name} type="password" autoComplete="current-password" {...rest} />
}

interface NewPasswordFormProps extends Omit<CallFormProps, 'onSubmit' | 'children'> {
  label: string
  onSubmit: (password: string) => void
  /** Fields under the password. */
  after?: ReactNode
  children?: ReactNode
}

/** A form that sets a password; its other fields are the children. */
export function NewPasswordForm({ label, onSubmit, after, children, ...form }: NewPasswordFormProps) {
  const [password, setPassword] = useState('')
  const error = form.call.errors.newPassword
  const hint = `Не меньше ${PASSWORD_MIN}\u00a0знаков. Длинная фраза надёжнее набора значков.`
  return (
    <CallForm {...form} onSubmit={() => onSubmit(password)}>
      {children}
      <AccountField
        label={label}
        {...(!error && { hint })}
        name="new-password"
        type="password"
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        error={error}
      />
      {after}
    </CallForm>
  )
}

/** A hidden field by which password managers know the account. */
export function AccountName({ email }: { email: string }) {
  return <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
}
