import type { ReactNode } from 'react'
import { findScreen } from '#contract/screens.ts'
import { classNames } from '#web/lib/class-names.ts'
import { Link } from '#web/ui/link.tsx'

interface TextLinkProps {
  href: string
  /** Underlined: inside a sentence colour alone is not enough. */
  inText?: boolean
  children: ReactNode
}

export function TextLink({ href, inText = false, children }: TextLinkProps) {
  if (!inText && !findScreen(href)) return null
  return (
    <Link
      href={href}
      className={classNames('rounded-xs text-accent-ink underline-offset-4', inText ? 'underline' : 'hover:underline')}
    >
      {children}
    </Link>
  )
}
