import { type ReactNode, type TextareaHTMLAttributes, useId } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { controlStyle, describeControl, Field } from './field.tsx'

interface Labels {
  label: ReactNode
  hint?: ReactNode
  error?: string | null
}

export function TextArea({
  label,
  hint,
  error,
  className,
  ...rest
}: Labels & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <textarea
        {...rest}
        {...describeControl(id, hint, error)}
        className={classNames(controlStyle, 'min-h-28 resize-y py-2.5', className)}
      />
    </Field>
  )
}
