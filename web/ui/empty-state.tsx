import type { ReactNode } from 'react'
import { Glyph, type GlyphName } from './glyph.tsx'

type Drawing = { glyph: GlyphName; icon?: undefined } | { glyph?: undefined; icon: ReactNode }

type EmptyStateProps = Drawing & {
  title: string
  text: ReactNode
  action?: ReactNode
}

export function EmptyState({ glyph, icon, title, text, action }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-3 px-4 py-14 text-center">
      {glyph ? (
        <Glyph name={glyph} className="mb-2" />
      ) : (
        <span aria-hidden="true" className="mb-1 text-muted [&>svg]:size-8 [&>svg]:stroke-[1.6]">
          {icon}
        </span>
      )}
      <h2 className="text-xl font-semibold">{title}</h2>
      <p className="text-pretty text-muted">{text}</p>
      {action && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
