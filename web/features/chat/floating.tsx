import { Popover } from 'radix-ui'
import type { ReactNode } from 'react'
import { classNames } from '#web/lib/class-names.ts'

interface FloatingProps {
  label: string
  /** One button; it opens the panel. */
  trigger: ReactNode
  open: boolean
  onOpenChange: (open: boolean) => void
  align?: 'start' | 'end'
  className?: string
  children: ReactNode
}

/** A panel beside the button that opened it. Heavy: only in parts that are loaded when asked for. */
export function Floating({ label, trigger, open, onOpenChange, align = 'start', className, children }: FloatingProps) {
  return (
    <Popover.Root open={open} onOpenChange={onOpenChange}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className={classNames(
            'z-50 max-w-[calc(100vw-1rem)] rounded-md border bg-surface shadow-float outline-none',
            'data-[state=open]:animate-[appear_120ms_ease-out]',
            className,
          )}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
