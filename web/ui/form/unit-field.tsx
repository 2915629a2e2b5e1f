import { type InputHTMLAttributes, type ReactNode, useId } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { controlStyle, describeControl, Field } from '#web/ui/field.tsx'

interface UnitFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: ReactNode
  hint?: ReactNode
  error?: string | null
  /** «символов», «BYN». */
  unit: string
}

export function UnitField({ label, hint, error, unit, className, ...rest }: UnitFieldProps) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error ?? null}>
      <span className="relative flex">
        <input
          inputMode="decimal"
          autoComplete="off"
          {...rest}
          {...describeControl(id, hint, error)}
          style={{ paddingRight: `calc(${unit.length}ch + 1.75rem)` }}
          className={classNames(controlStyle, 'figures h-11', className)}
        />
        <span className="pointer-events-none absolute top-0 right-3 flex h-11 items-center text-muted">{unit}</span>
      </span>
    </Field>
  )
}

/** Symbols of the balance: whole numbers. */
export const SymbolsField = (props: Omit<UnitFieldProps, 'unit'>) => (
  <UnitField unit="символов" inputMode="numeric" {...props} />
)
