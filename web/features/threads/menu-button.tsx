import { Ellipsis } from 'lucide-react'
import type { ButtonHTMLAttributes, Ref } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { loadThreadMenu, preload } from './parts.ts'

interface MenuButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'title'> {
  title: string
  ref?: Ref<HTMLButtonElement>
}

export function MenuButton({ title, className, ...rest }: MenuButtonProps) {
  return (
    <button
      aria-haspopup="menu"
      onPointerEnter={() => preload(loadThreadMenu)}
      onFocus={() => preload(loadThreadMenu)}
      {...rest}
      type="button"
      aria-label={`Меню чата «${title}»`}
      className={classNames(
        'grid shrink-0 place-items-center rounded-sm text-muted transition-colors hover:bg-hover hover:text-ink data-[state=open]:bg-hover data-[state=open]:text-ink',
        className,
      )}
    >
      <Ellipsis size={20} aria-hidden="true" />
    </button>
  )
}
