import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { controlStyle, describeControl, Field } from './field.tsx'

interface Labels {
  label: ReactNode
  hint?: ReactNode
  error?: string | null | undefined
  /** A button inside the field, at its end. */
  end?: ReactNode
}

type TextFieldProps = Labels & InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> }

export function TextField({ label, hint, error, end, className, id: givenId, ...rest }: TextFieldProps) {
  const ownId = useId()
  const id = givenId ?? ownId
  const style = classNames(controlStyle, 'h-11', end ? 'pr-12' : null, className)
  const input = <input {...rest} {...describeControl(id, hint, error)} className={style} />
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      {end ? (
        <div className="relative">
          {input}
          {end}
        </div>
      ) : (
        input
      )}
    </Field>
  )
}
