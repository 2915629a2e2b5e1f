import { classNames } from '#web/lib/class-names.ts'

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger'
export type ButtonSize = 'md' | 'sm'
/** `icon` is for a button collapsed to its icon. */
type StyleSize = ButtonSize | 'icon'

const variants: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-on-accent border-transparent hover:bg-accent-hover',
  secondary: 'bg-surface text-ink border-line-strong hover:bg-hover',
  ghost: 'bg-transparent text-ink border-transparent hover:bg-hover',
  danger: 'bg-danger-fill text-on-accent border-transparent hover:bg-danger-fill-hover',
}

const sizes: Record<StyleSize, string> = {
  md: 'min-h-10 max-frame:min-h-11 px-4 py-2 text-[15px]',
  icon: 'size-10',
  sm: 'min-h-8 max-frame:min-h-11 px-3 py-1 text-sm',
}

export function buttonStyle(variant: ButtonVariant, size: StyleSize, extra?: string): string {
  return classNames(
    'relative inline-flex items-center justify-center gap-2 rounded-md border font-medium leading-tight select-none',
    'transition-colors disabled:opacity-55 disabled:pointer-events-none',
    variants[variant],
    sizes[size],
    extra,
  )
}
