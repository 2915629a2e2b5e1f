import type { ReactNode } from 'react'
import { Link } from '#web/ui/link.tsx'
import { safeUrl } from './safe-url.ts'

interface AnswerLinkProps {
  url: string
  title?: string | null | undefined
  children: ReactNode
}

/** A link of an answer; only its text when the URL is not allowed. */
export function AnswerLink({ url, title, children }: AnswerLinkProps) {
  const safe = safeUrl(url)
  if (!safe) return <span title={title ?? undefined}>{children}</span>
  if (safe.kind === 'screen')
    return (
      <Link href={safe.href} title={title ?? undefined}>
        {children}
      </Link>
    )
  return (
    <a href={safe.href} title={title ?? undefined} target="_blank" rel="noopener nofollow noreferrer">
      {children}
    </a>
  )
}
