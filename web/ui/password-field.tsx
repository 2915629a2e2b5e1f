import { TextField } from './text-field.tsx'

interface PasswordFieldProps {
  label: string
  value: string
  onChange: (password: string) => void
  error: string | undefined
}

export function CurrentPasswordField({ label, value, onChange, error }: PasswordFieldProps) {
  return (
    <TextField
      label={label}
      name="current-password"
      type="password"
      autoComplete="current-password"
      required
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={error ?? null}
    />
  )
}

export function NewPasswordField({ label, value, onChange, error, atLeast }: PasswordFieldProps & { atLeast: number }) {
  return (
    <TextField
      label={label}
      hint={error ? null : `Не меньше ${atLeast}\u00a0знаков. Длинная фраза надёжнее набора значков.`}
      name="new-password"
      type="password"
      autoComplete="new-password"
      required
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={error ?? null}
    />
  )
}

/** A hidden field by which password managers know the account. */
export function AccountName({ email }: { email: string }) {
  return <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
}
