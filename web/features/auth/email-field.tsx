import { TextField } from '#web/ui/text-field.tsx'

interface EmailFieldProps {
  value: string
  onChange: (email: string) => void
  error: string | undefined
  /** `username` when the form has a password too: password managers store them as a pair. */
  autoComplete?: 'email' | 'username'
}

export function EmailField({ value, onChange, error, autoComplete = 'email' }: EmailFieldProps) {
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
