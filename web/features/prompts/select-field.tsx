import { ChevronDown } from 'lucide-react'
import { type ReactNode, type SelectHTMLAttributes, useId } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { controlStyle, describeControl, Field } from '#web/ui/field.tsx'

interface SelectFieldProps extends SelectHTMLAttributes<HTMLSelectElement> {
  label: ReactNode
  hint?: ReactNode
  error?: string | null
}

/** A native select: best on phones. */
export function SelectField({ label, hint, error, className, ...rest }: SelectFieldProps) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <Select {...rest} {...describeControl(id, hint, error)} className={classNames('h-11', className)} />
    </Field>
  )
}

export function Select({ className, ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <span className="relative block">
      <select {...rest} className={classNames(controlStyle, 'appearance-none pr-9', className)} />
      <ChevronDown
        size={18}
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-muted"
      />
    </span>
  )
}
