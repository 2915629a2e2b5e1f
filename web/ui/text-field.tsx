import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { controlStyle, describeControl, Field } from './field.tsx'

interface Labels {
  label: ReactNode
  hint?: ReactNode
  error?: string | null | undefined
}

type TextFieldProps = Labels & InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }

export function TextField({ label, hint, error, className, id: givenId, ...rest }: TextFieldProps) {
  const ownId = useId()
  const id = givenId ?? ownId
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <input {...rest} {...describeControl(id, hint, error)} className={classNames(controlStyle, 'h-11', className)} />
    </Field>
  )
}
