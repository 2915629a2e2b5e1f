import { type ReactNode, useEffect, useRef } from 'react'
import { EmailHelp } from '#web/features/auth/email-help.tsx'
import type { EmailCall } from '#web/features/auth/queries.ts'
import { TextLink } from '#web/ui/text-link.tsx'

interface StepProps {
  title: string
  text?: ReactNode
  children: ReactNode
}

/** One step of signing in. Focuses its first field; on touch devices its title, to keep the keyboard closed. */
export function Step({ title, text, children }: StepProps) {
  const step = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const field = matchMedia('(pointer: fine)').matches ? step.current?.querySelector('input') : null
    const start = field ?? step.current?.querySelector('h1')
    start?.focus({ preventScroll: true })
  }, [])

  return (
    <div ref={step} className="min-h-[72dvh]">
      <h1 tabIndex={-1} className="text-2xl font-semibold outline-none">
        {title}
      </h1>
      {text && <p className="mt-2 text-pretty text-muted">{text}</p>}
      <div className="mt-6">{children}</div>
    </div>
  )
}

interface EmailSentStepProps {
  email: string
  message: EmailCall
  text: ReactNode
  /** The page where the address can be corrected. */
  back: string
}

export function EmailSentStep({ email, message, text, back }: EmailSentStepProps) {
  return (
    <Step title="Проверьте почту" text={text}>
      <p className="mb-5 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 rounded-md border bg-surface px-4 py-3">
        <strong className="min-w-0 font-medium wrap-anywhere">{email}</strong>
        <span className="text-[15px]">
          <TextLink href={back}>Изменить адрес</TextLink>
        </span>
      </p>
      <EmailHelp email={email} message={message} />
    </Step>
  )
}
