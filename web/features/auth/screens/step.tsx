import { type ReactNode, useEffect, useRef } from 'react'

interface StepProps {
  title: string
  text?: ReactNode
  /** The first field is for a code, which a phone suggests when the field has the focus. */
  hasCode?: boolean
  children: ReactNode
}

/** One step of signing in. Focuses its first field; on touch devices its title, to keep the keyboard closed. */
export function Step({ title, text, hasCode = false, children }: StepProps) {
  const step = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const field = hasCode || matchMedia('(pointer: fine)').matches ? step.current?.querySelector('input') : null
    const start = field ?? step.current?.querySelector('h1')
    start?.focus({ preventScroll: true })
  }, [hasCode])

  return (
    <div ref={step} className="mx-auto min-h-[72dvh] w-full max-w-sm">
      <h1 tabIndex={-1} className="text-2xl font-semibold outline-none">
        {title}
      </h1>
      {text && <p className="mt-2 text-pretty text-muted">{text}</p>}
      <div className="mt-6">{children}</div>
    </div>
  )
}
