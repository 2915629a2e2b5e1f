import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { classNames } from '#web/lib/class-names.ts'

interface TextLinkProps {
  href: string
  /** Underlined: inside a sentence colour alone is not enough. */
  inText?: boolean
  children: ReactNode
}

export function TextLink({ href, inText = false, children }: TextLinkProps) {
  return (
    <Link
      href={href}
      className={classNames('rounded-xs text-accent-ink underline-offset-4', inText ? 'underline' : 'hover:underline')}
    >
      {children}
    </Link>
  )
}
