import type { ReactNode } from 'react'
import { Glyph, type GlyphName } from './glyph.tsx'

type Drawing = { glyph: GlyphName; icon?: undefined } | { glyph?: undefined; icon: ReactNode }

type EmptyStateProps = Drawing & {
  title: string
  text: ReactNode
  action?: ReactNode
  /** The title is the heading of the page, which has no other. */
  isPage?: boolean
}

export function EmptyState({ glyph, icon, title, text, action, isPage = false }: EmptyStateProps) {
  const Title = isPage ? 'h1' : 'h2'
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-3 px-4 py-14 text-center">
      {glyph ? (
        <Glyph name={glyph} className="mb-2" />
      ) : (
        <span aria-hidden="true" className="mb-1 text-muted [&>svg]:size-8 [&>svg]:stroke-[1.6]">
          {icon}
        </span>
      )}
      <Title className="text-xl font-semibold">{title}</Title>
      <p className="text-pretty text-muted">{text}</p>
      {action && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
