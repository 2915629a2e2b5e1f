import type { ReactNode } from 'react'
import { LetterHelp } from '#web/features/auth/letter-help.tsx'
import type { LetterCall } from '#web/features/auth/queries.ts'
import { TextLink } from '#web/ui/text-link.tsx'
import { Step } from './step.tsx'

interface LetterStepProps {
  email: string
  letter: LetterCall
  text: ReactNode
  /** Where the address can be corrected. */
  back: string
}

export function LetterStep({ email, letter, text, back }: LetterStepProps) {
  return (
    <Step title="Проверьте почту" text={text}>
      <p className="mb-5 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 rounded-md border bg-surface px-4 py-3">
        <strong className="min-w-0 font-medium wrap-anywhere">{email}</strong>
        <span className="text-[15px]">
          <TextLink href={back}>Изменить адрес</TextLink>
        </span>
      </p>
      <LetterHelp email={email} letter={letter} />
    </Step>
  )
}
