import type { ReactNode } from 'react'

interface EmptyStateProps {
  icon: ReactNode
  title: string
  text: ReactNode
  action?: ReactNode
}

export function EmptyState({ icon, title, text, action }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-3 px-4 py-16 text-center">
      <span
        aria-hidden="true"
        className="mb-1 grid size-14 place-items-center rounded-lg bg-accent-soft text-accent-ink [&>svg]:size-7 [&>svg]:stroke-[1.6]"
      >
        {icon}
      </span>
      <h2 className="text-xl font-semibold">{title}</h2>
      <p className="text-pretty text-muted">{text}</p>
      {action && <div className="mt-3 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
