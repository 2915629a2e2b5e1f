import { type ReactNode, type SelectHTMLAttributes, useId } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { controlStyle, describeControl, Field } from '#web/ui/field.tsx'
import { ChevronDown } from '#web/ui/icons.ts'

interface SelectProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'children'> {
  options: readonly { value: string; label: string }[]
}

/** A native select, which works best on phones. */
export function Select({ options, className, ...rest }: SelectProps) {
  return (
    <span className="relative block">
      <select {...rest} className={classNames(controlStyle, 'appearance-none pr-9', className)}>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown size={18} className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-muted" />
    </span>
  )
}

interface SelectFieldProps extends SelectProps {
  label: ReactNode
  hint?: ReactNode
  error?: string | null
}

export function SelectField({ label, hint, error, ...rest }: SelectFieldProps) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error ?? null}>
      <Select {...rest} {...describeControl(id, hint, error)} className="h-11" />
    </Field>
  )
}
