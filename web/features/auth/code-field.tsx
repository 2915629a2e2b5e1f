import { TextField } from '#web/ui/text-field.tsx'

interface CodeFieldProps {
  label: string
  hint?: string
  value: string
  onChange: (code: string) => void
  error?: string | undefined
}

/** Six digits; `one-time-code` lets phones suggest the received one. */
export function CodeField({ label, hint, value, onChange, error }: CodeFieldProps) {
  return (
    <TextField
      label={label}
      hint={hint}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={9}
      required
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={error ?? null}
      className="font-mono tracking-widest"
    />
  )
}
