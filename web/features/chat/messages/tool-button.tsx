import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { classNames } from '#web/lib/class-names.ts'

interface ToolButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  label: string
  icon: ReactNode
  ref?: Ref<HTMLButtonElement>
}

/** One act under a message: small beside a mouse, larger under a finger. */
export function ToolButton({ label, icon, className, ...rest }: ToolButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      aria-label={label}
      title={label}
      className={classNames(
        'inline-grid h-8 w-8 shrink-0 place-items-center rounded-sm text-muted transition-colors pointer-coarse:h-10 pointer-coarse:w-9',
        'hover:bg-hover hover:text-ink disabled:pointer-events-none disabled:opacity-45 data-[state=open]:bg-hover data-[state=open]:text-ink',
        className,
      )}
    >
      {icon}
    </button>
  )
}
