import type { ButtonHTMLAttributes, Ref } from 'react'
import { MAX_TITLE } from '#contract/threads.ts'
import { classNames } from '#web/lib/class-names.ts'
import { lazy } from '#web/lib/lazy.tsx'
import { Ellipsis } from '#web/ui/icons.ts'
import { RenameField } from '#web/ui/rename-field.tsx'

/** Loaded on demand, and ahead of that when the pointer is on the button that opens them. */

export const threadMenu = lazy(async () => (await import('./thread-menu.tsx')).ThreadMenu)
export const shareDialog = lazy(async () => (await import('./share-dialog.tsx')).ShareDialog)

interface MenuButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'title'> {
  title: string
  ref?: Ref<HTMLButtonElement>
}

export function MenuButton({ title, className, ...rest }: MenuButtonProps) {
  return (
    <button
      aria-haspopup="menu"
      onPointerEnter={threadMenu.preload}
      onFocus={threadMenu.preload}
      {...rest}
      type="button"
      aria-label={`Меню чата «${title}»`}
      className={classNames(
        'grid shrink-0 place-items-center rounded-sm text-muted transition-colors hover:bg-hover hover:text-ink data-[state=open]:bg-hover data-[state=open]:text-ink',
        className,
      )}
    >
      <Ellipsis size={20} />
    </button>
  )
}

interface RenameThreadProps {
  title: string
  onDone: (title: string | null) => void
  className?: string
}

export function RenameThread(props: RenameThreadProps) {
  return <RenameField label="Название чата" maxLength={MAX_TITLE} {...props} />
}
