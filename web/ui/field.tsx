import type { ReactNode } from 'react'

export const controlStyle =
  'w-full rounded-md border border-line-strong bg-surface px-3 text-ink transition-colors hover:border-muted ' +
  'aria-invalid:border-danger disabled:opacity-60 disabled:pointer-events-none'

interface FieldProps {
  id: string
  label: ReactNode
  hint?: ReactNode
  error?: string | null | undefined
  children: ReactNode
}

export function Field({ id, label, hint, error, children }: FieldProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </div>
  )
}

/** Attributes that link a control to its hint and error. */
export function describeControl(id: string, hint: ReactNode, error: string | null | undefined) {
  const notes = [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean).join(' ')
  return { id, 'aria-invalid': error ? true : undefined, 'aria-describedby': notes || undefined }
}
