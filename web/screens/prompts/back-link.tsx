import { ChevronLeft } from 'lucide-react'
import { Link } from 'wouter'
import { paths } from '#web/lib/paths.ts'

export function BackToPrompts() {
  return (
    <Link
      href={paths.prompts()}
      data-screen-only
      className="mb-3 -ml-1 inline-flex items-center gap-1 rounded-xs text-[15px] text-muted hover:text-ink"
    >
      <ChevronLeft size={18} aria-hidden="true" />
      Промпты
    </Link>
  )
}
