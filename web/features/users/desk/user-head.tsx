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
} from 'lucide-react'
import type { UserCard } from '#contract/user-desk.ts'
import { formatDateTime } from '#web/lib/format.ts'
import { useSession } from '#web/lib/session.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { Badge } from '#web/ui/table/badge.tsx'
import { useDownloadData, useUnban } from './queries.ts'
import { personName } from './user-words.ts'

export type Act = 'gift' | 'take' | 'role' | 'ban' | 'sessions' | 'factor' | 'impersonate' | 'delete'

interface UserHeadProps {
  user: UserCard
  onAct: (act: Act) => void
}

const icon = { size: 18, 'aria-hidden': true } as const

/** Who it is, and what can be done. */
export function UserHead({ user, onAct }: UserHeadProps) {
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
          <Button variant="primary" icon={<Gift {...icon} />} onClick={() => onAct('gift')}>
            Подарить
          </Button>
          <Button icon={<HandCoins {...icon} />} onClick={() => onAct('take')}>
            Забрать
          </Button>
          <MoreActs user={user} isSelf={isSelf} onAct={onAct} />
        </div>
      </div>
      {user.banned && <BanNote user={user} />}
    </header>
  )
}

/** What one may not do to oneself is not offered; the server refuses it too. */
function MoreActs({ user, isSelf, onAct }: UserHeadProps & { isSelf: boolean }) {
  const canLook = !isSelf && user.role === 'user' && !user.banned
  const download = useDownloadData(user.id)
  return (
    <Menu align="end" trigger={<IconButton label="Другие действия" icon={<Ellipsis size={20} aria-hidden="true" />} />}>
      {canLook && (
        <MenuItem icon={<Eye {...icon} />} onSelect={() => onAct('impersonate')}>
          Посмотреть глазами пользователя
        </MenuItem>
      )}
      <MenuItem icon={<Download {...icon} />} onSelect={() => download.mutate()}>
        Скачать данные
      </MenuItem>
      <MenuItem icon={<LogOut {...icon} />} onSelect={() => onAct('sessions')}>
        Завершить все сеансы
      </MenuItem>
      {!isSelf && (
        <MenuItem icon={<KeyRound {...icon} />} onSelect={() => onAct('factor')}>
          Снять вход в два шага
        </MenuItem>
      )}
      {!isSelf && (
        <>
          <MenuItem
            icon={user.role === 'user' ? <ShieldCheck {...icon} /> : <ShieldOff {...icon} />}
            onSelect={() => onAct('role')}
          >
            {user.role === 'user' ? 'Сделать администратором' : 'Снять роль администратора'}
          </MenuItem>
          <MenuSeparator />
          {!user.banned && (
            <MenuItem danger icon={<Ban {...icon} />} onSelect={() => onAct('ban')}>
              Заблокировать
            </MenuItem>
          )}
          <MenuItem danger icon={<Trash2 {...icon} />} onSelect={() => onAct('delete')}>
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
        <Button size="sm" icon={<CircleCheck {...icon} />} busy={unban.isPending} onClick={() => unban.mutate(id)}>
          Снять блокировку
        </Button>
      }
    >
      {unban.error?.message ?? banReason ?? 'Причина не указана.'}
    </Callout>
  )
}
