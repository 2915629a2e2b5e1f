import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { findScreen } from '#contract/screens.ts'
import { classNames } from '#web/lib/class-names.ts'
import { Link } from '#web/ui/link.tsx'
import { type ButtonSize, type ButtonVariant, buttonStyle } from './button-style.ts'

interface ButtonStyleProps {
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: ReactNode
}

interface ButtonProps extends ButtonStyleProps, ButtonHTMLAttributes<HTMLButtonElement> {
  busy?: boolean
  ref?: Ref<HTMLButtonElement>
}

export function Button({
  variant = 'secondary',
  size = 'md',
  busy = false,
  icon,
  type = 'button',
  disabled,
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={buttonStyle(variant, size, className)}
    >
      <span className={classNames('inline-flex items-center gap-2', busy && 'opacity-0')}>
        {icon}
        {children}
      </span>
      {busy && (
        <span className="absolute inset-0 grid place-items-center">
          <Spinner />
        </span>
      )}
    </button>
  )
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  label: string
  icon: ReactNode
  size?: ButtonSize
  ref?: Ref<HTMLButtonElement>
}

export function IconButton({ label, icon, size = 'md', type = 'button', className, ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      className={classNames(
        'inline-grid shrink-0 place-items-center rounded-md text-muted transition-colors',
        'hover:bg-hover hover:text-ink disabled:pointer-events-none disabled:opacity-55',
        size === 'sm' ? 'size-8' : 'size-10 max-frame:size-11',
        className,
      )}
    >
      {icon}
    </button>
  )
}

interface ButtonLinkProps extends ButtonStyleProps, AnchorHTMLAttributes<HTMLAnchorElement> {
  href: string
}

export function ButtonLink({
  href,
  variant = 'secondary',
  size = 'md',
  icon,
  className,
  children,
  ...rest
}: ButtonLinkProps) {
  if (!findScreen(href)) return null
  return (
    <Link {...rest} href={href} className={buttonStyle(variant, size, className)}>
      {icon}
      {children}
    </Link>
  )
}

/** Only for controls; a loading page shows skeletons. */
function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="size-4 shrink-0 animate-[turn_700ms_linear_infinite] rounded-full border-2 border-current border-t-transparent"
    />
  )
}
