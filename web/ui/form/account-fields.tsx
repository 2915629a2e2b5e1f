import type { ComponentProps } from 'react'
import { TextField } from '#web/ui/text-field.tsx'

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
