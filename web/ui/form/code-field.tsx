import { AccountField, type AccountFieldProps } from './account-fields.tsx'

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
