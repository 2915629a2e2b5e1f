import type { ButtonHTMLAttributes, Ref } from 'react'
import type { SessionUser } from '#contract/page.ts'
import { classNames } from '#web/lib/class-names.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { ChevronsUpDown } from '#web/ui/icons.ts'

interface UserButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  user: SessionUser
  compact: boolean
  ref?: Ref<HTMLButtonElement>
}

export function UserButton({ user, compact, ...rest }: UserButtonProps) {
  const name = user.name || user.email
  return (
    <button
      aria-haspopup="menu"
      {...rest}
      type="button"
      title={compact ? name : undefined}
      className={classNames(
        'flex items-center gap-2.5 rounded-md p-1.5 text-left transition-colors hover:bg-hover data-[state=open]:bg-hover',
        compact ? 'mx-auto' : 'w-full',
      )}
    >
      <Avatar name={name} image={user.image} size={compact ? 28 : 32} />
      <span className="sr-only">Меню пользователя: {compact && name}</span>
      {!compact && (
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
