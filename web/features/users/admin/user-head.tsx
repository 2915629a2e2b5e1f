import type { UserCard } from '#contract/users-admin.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { formatDateTime } from '#web/lib/format.ts'
import { useSession } from '#web/lib/session.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import {
  Ban,
  CircleCheck,
  Download,
  Ellipsis,
  Eye,
  Gift,
  HandCoins,
  KeyRound,
  LogOut,
  ShieldCheck,
  ShieldOff,
  Trash2,
} from '#web/ui/icons.ts'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { Badge } from '#web/ui/table/badge.tsx'
import { useDownloadData, useUnban } from './queries.ts'
import { personName } from './user-labels.ts'

export type Action = 'gift' | 'take' | 'role' | 'ban' | 'sessions' | 'factor' | 'impersonate' | 'delete'

interface UserHeadProps {
  user: UserCard
  onAction: (action: Action) => void
}

export function UserHead({ user, onAction }: UserHeadProps) {
  const isSelf = useSession()?.id === user.id
  return (
    <header className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="flex min-w-0 items-center gap-4">
          <Avatar name={personName(user)} image={user.image} size={56} />
          <div className="min-w-0">
            <h1 className="text-2xl font-semibold wrap-anywhere">{personName(user)}</h1>
            <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <span className="text-muted wrap-anywhere">{user.email}</span>
              {isSelf && <Badge>это вы</Badge>}
              {user.role === 'admin' && <Badge tone="accent">Администратор</Badge>}
              {user.banned && <Badge tone="danger">Заблокирован</Badge>}
              {!user.emailVerified && <Badge tone="warning">Адрес не подтверждён</Badge>}
            </div>
          </div>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button variant="primary" icon={<Gift size={18} />} onClick={() => onAction('gift')}>
            Подарить
          </Button>
          <Button icon={<HandCoins size={18} />} onClick={() => onAction('take')}>
            Забрать
          </Button>
          <MoreActions user={user} isSelf={isSelf} onAction={onAction} />
        </div>
      </div>
      {user.banned && <BanNote user={user} />}
    </header>
  )
}

/** Actions that are forbidden on one's own account are hidden; the server rejects them too. */
function MoreActions({ user, isSelf, onAction }: UserHeadProps & { isSelf: boolean }) {
  const canImpersonate = !isSelf && user.role === 'user' && !user.banned
  const download = useDownloadData(user.id)
  return (
    <Menu align="end" trigger={<IconButton label="Другие действия" icon={<Ellipsis size={20} />} />}>
      {canImpersonate && (
        <MenuItem icon={<Eye size={18} />} onSelect={() => onAction('impersonate')}>
          Посмотреть глазами пользователя
        </MenuItem>
      )}
      <MenuItem icon={<Download size={18} />} onSelect={() => download.mutate()}>
        Скачать данные
      </MenuItem>
      <MenuItem icon={<LogOut size={18} />} onSelect={() => onAction('sessions')}>
        Завершить все сеансы
      </MenuItem>
      {!isSelf && (
        <MenuItem icon={<KeyRound size={18} />} onSelect={() => onAction('factor')}>
          Снять вход в два шага
        </MenuItem>
      )}
      {!isSelf && (
        <>
          <MenuItem
            icon={user.role === 'user' ? <ShieldCheck size={18} /> : <ShieldOff size={18} />}
            onSelect={() => onAction('role')}
          >
            {user.role === 'user' ? 'Сделать администратором' : 'Снять роль администратора'}
          </MenuItem>
          <MenuSeparator />
          {!user.banned && (
            <MenuItem danger icon={<Ban size={18} />} onSelect={() => onAction('ban')}>
              Заблокировать
            </MenuItem>
          )}
          <MenuItem danger icon={<Trash2 size={18} />} onSelect={() => onAction('delete')}>
            Удалить аккаунт
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

function BanNote({ user: { id, banReason, banExpires } }: { user: UserCard }) {
  const unban = useUnban()
  return (
    <Callout
      tone="warning"
      title={banExpires ? `Заблокирован до ${formatDateTime(banExpires)}` : 'Заблокирован насовсем'}
      action={
        <Button size="sm" icon={<CircleCheck size={18} />} busy={unban.isPending} onClick={() => unban.mutate(id)}>
          Снять блокировку
        </Button>
      }
    >
      {unban.error ? callErrorText(unban.error) : (banReason ?? 'Причина не указана.')}
    </Callout>
  )
}
