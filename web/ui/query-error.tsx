import type { ReactNode } from 'react'
import { formErrorsOf } from '#web/lib/form-errors.ts'
import { Button } from './button.tsx'
import { Callout } from './callout.tsx'

interface ErrorNoteProps {
  text: string | undefined
  title?: string | undefined
  action?: ReactNode
}

/** An error in the place where it happened; nothing without a text. */
export function ErrorNote({ text, title, action }: ErrorNoteProps) {
  if (!text) return null
  return (
    <Callout tone="danger" {...(title && { title })} action={action}>
      {text}
    </Callout>
  )
}

interface QueryErrorProps {
  query: { error: Error | null; refetch: () => unknown }
  title?: string
}

/** A failed query, with a button that repeats it. */
export function QueryError({ query, title }: QueryErrorProps) {
  return (
    <ErrorNote
      text={formErrorsOf(query.error).form}
      title={title}
      action={
        <Button size="sm" onClick={() => void query.refetch()}>
          Повторить
        </Button>
      }
    />
  )
}
