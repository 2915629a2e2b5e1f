import type { ReactNode } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { CircleAlert, CircleCheck, Info, TriangleAlert } from '#web/ui/icons.ts'

type Tone = 'info' | 'success' | 'warning' | 'danger'

interface CalloutProps {
  tone: Tone
  title?: string
  children: ReactNode
  action?: ReactNode
}

const tones: Record<Tone, { style: string; Icon: typeof Info }> = {
  info: { style: 'bg-accent-soft text-accent-ink', Icon: Info },
  success: { style: 'bg-success-soft text-success', Icon: CircleCheck },
  warning: { style: 'bg-warning-soft text-warning', Icon: TriangleAlert },
  danger: { style: 'bg-danger-soft text-danger', Icon: CircleAlert },
}

export function Callout({ tone, title, children, action }: CalloutProps) {
  const { style, Icon } = tones[tone]
  return (
    <div role={tone === 'danger' ? 'alert' : undefined} className={classNames('flex gap-3 rounded-md p-4', style)}>
      <Icon size={20} className="mt-0.5 shrink-0" />
      <div className="min-w-0 flex-1 text-ink">
        {title && <p className="font-medium">{title}</p>}
        <div className="text-[15px]">{children}</div>
        {action && <div className="mt-3 flex flex-wrap gap-2">{action}</div>}
      </div>
    </div>
  )
}

interface ErrorNoteProps {
  text: string | undefined
  title?: string | undefined
  action?: ReactNode
}

/** An error in the place where it happened; nothing without a text. */
export function ErrorNote({ text, title, action }: ErrorNoteProps) {
  if (!text) return null
  return (
    <Callout tone="danger" {...(title && { title })} action={action}>
      {text}
    </Callout>
  )
}
