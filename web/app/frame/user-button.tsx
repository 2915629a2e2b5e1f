import type { ButtonHTMLAttributes, Ref } from 'react'
import type { SessionUser } from '#contract/page.ts'
import { classNames } from '#web/lib/class-names.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { ChevronsUpDown } from '#web/ui/icons.ts'

interface UserButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  user: SessionUser
  isCompact: boolean
  ref?: Ref<HTMLButtonElement>
}

export function UserButton({ user, isCompact, ...rest }: UserButtonProps) {
  const name = user.name || user.email
  return (
    <button
      aria-haspopup="menu"
      {...rest}
      type="button"
      title={isCompact ? name : undefined}
      className={classNames(
        'flex items-center gap-2.5 rounded-md p-1.5 text-left transition-colors hover:bg-hover data-[state=open]:bg-hover',
        isCompact ? 'mx-auto' : 'w-full',
      )}
    >
      <Avatar name={name} image={user.image} size={isCompact ? 28 : 32} />
      <span className="sr-only">Меню пользователя: {isCompact && name}</span>
      {!isCompact && (
        <>
          <span className="min-w-0 flex-1 leading-tight">
            <span className="block truncate text-[15px] font-medium">{name}</span>
            {user.name && <span className="block truncate text-[13px] text-muted">{user.email}</span>}
          </span>
          <ChevronsUpDown size={16} aria-hidden="true" className="shrink-0 text-muted" />
        </>
      )}
    </button>
  )
}
