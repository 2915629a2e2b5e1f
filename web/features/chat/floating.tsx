import { Popover } from 'radix-ui'
import type { ReactNode } from 'react'
import { classNames } from '#web/lib/class-names.ts'

interface FloatingProps {
  label: string
  trigger: ReactNode
  open: boolean
  onOpenChange: (open: boolean) => void
  align?: 'start' | 'end'
  className?: string
  children: ReactNode
}

/** A popover. Radix is heavy, so it is used only in parts that are loaded on demand. */
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
