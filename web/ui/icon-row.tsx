import type { ReactNode } from 'react'
import { Skeleton } from '#web/ui/skeleton.tsx'

interface IconRowProps {
  icon: ReactNode
  title: ReactNode
  text: ReactNode
  action?: ReactNode
}

export function IconRow({ icon, title, text, action }: IconRowProps) {
  return (
    <li className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2 border-b py-3 first:pt-0 last:border-0 last:pb-0">
      <span aria-hidden="true" className="shrink-0 text-muted">
        {icon}
      </span>
      <div className="min-w-0 flex-1 basis-32">
        <p className="font-medium wrap-anywhere">{title}</p>
        <p className="text-sm text-muted wrap-anywhere">{text}</p>
      </div>
      {action}
    </li>
  )
}

const names = ['a', 'b', 'c', 'd', 'e', 'f']

export function RowSkeletons({ count }: { count: number }) {
  return (
    <div className="flex flex-col gap-3">
      {names.slice(0, count).map((name) => (
        <Skeleton key={name} className="h-12" />
      ))}
    </div>
  )
}
