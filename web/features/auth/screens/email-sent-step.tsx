import type { ReactNode } from 'react'
import { EmailHelp } from '#web/features/auth/email-help.tsx'
import type { EmailCall } from '#web/features/auth/queries.ts'
import { TextLink } from '#web/ui/text-link.tsx'
import { Step } from './step.tsx'

interface EmailSentStepProps {
  title?: string
  email: string
  message: EmailCall
  text: ReactNode
  /** The page where the address can be corrected. */
  back: string
  children?: ReactNode
}

export function EmailSentStep({ title = 'Проверьте почту', email, message, text, back, children }: EmailSentStepProps) {
  return (
    <Step title={title} text={text} hasCode={children !== undefined}>
      <p className="mb-5 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 rounded-md border bg-surface px-4 py-3">
        <strong className="min-w-0 font-medium wrap-anywhere">{email}</strong>
        <span className="text-[15px]">
          <TextLink href={back}>Изменить адрес</TextLink>
        </span>
      </p>
      {children && <div className="mb-6">{children}</div>}
      <EmailHelp email={email} message={message} />
    </Step>
  )
}
