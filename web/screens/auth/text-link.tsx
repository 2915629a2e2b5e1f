import type { ReactNode } from 'react'
import { Link } from 'wouter'

interface TextLinkProps {
  href: string
  children: ReactNode
}

export function TextLink({ href, children }: TextLinkProps) {
  return (
    <Link href={href} className="rounded-xs text-accent-ink underline-offset-4 hover:underline">
      {children}
    </Link>
  )
}
