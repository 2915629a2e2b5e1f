import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { controlStyle, describeControl, Field } from './field.tsx'

interface SelectProps<Value extends string> {
  label: ReactNode
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
  hint?: ReactNode
  error?: string | null
  disabled?: boolean
}

export function Select<Value extends string>({
  label,
  options,
  value,
  onChange,
  hint,
  error,
  disabled,
}: SelectProps<Value>) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <div className="relative">
        <select
          {...describeControl(id, hint, error)}
          value={value}
          disabled={disabled}
          onChange={(event) => onChange(event.target.value as Value)}
          className={classNames(controlStyle, 'h-11 appearance-none truncate pr-10')}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <ChevronDown
          aria-hidden="true"
          size={18}
          className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-muted"
        />
      </div>
    </Field>
  )
}
