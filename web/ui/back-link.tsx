import type { ReactNode } from 'react'
import { ArrowLeft } from '#web/ui/icons.ts'
import { Link } from '#web/ui/link.tsx'

interface BackLinkProps {
  href: string
  /** The name of the list or page it leads to. */
  children: ReactNode
}

export function BackLink({ href, children }: BackLinkProps) {
  return (
    <Link
      href={href}
      data-screen-only
      className="inline-flex w-fit items-center gap-1.5 rounded-xs text-[15px] text-muted hover:text-ink max-frame:min-h-11"
    >
      <ArrowLeft size={16} className="shrink-0" />
      {children}
    </Link>
  )
}
