import { PASSWORD_MIN } from '#contract/auth.ts'
import { TextField } from '#web/ui/text-field.tsx'

interface NewPasswordFieldProps {
  label: string
  value: string
  onChange: (password: string) => void
  error: string | undefined
}

export function NewPasswordField({ label, value, onChange, error }: NewPasswordFieldProps) {
  return (
    <TextField
      label={label}
      hint={error ? null : `Не меньше ${PASSWORD_MIN}\u00a0знаков. Длинная фраза надёжнее набора значков.`}
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
