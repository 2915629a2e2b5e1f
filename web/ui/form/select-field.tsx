import { type ReactNode, type SelectHTMLAttributes, useId } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { controlStyle, describeControl, Field } from '#web/ui/field.tsx'

interface SelectFieldProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'children'> {
  label: ReactNode
  hint?: ReactNode
  error?: string | null
  options: readonly { value: string; label: string }[]
}

export function SelectField({ label, hint, error, options, ...rest }: SelectFieldProps) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error ?? null}>
      <select {...rest} {...describeControl(id, hint, error)} className={classNames(controlStyle, 'h-11')}>
        {options.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  )
}
