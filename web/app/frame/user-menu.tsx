import { LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react'
import { useLocation } from 'wouter'
import type { SessionUser } from '#contract/page.ts'
import { useSignOut } from '#web/features/auth/queries.ts'
import { paths } from '#web/lib/paths.ts'
import { chooseTheme, useTheme } from '#web/lib/theme.ts'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { UserButton } from './user-button.tsx'

const themes = [
  { value: 'system', label: 'Как в системе', icon: <Monitor size={18} aria-hidden="true" /> },
  { value: 'light', label: 'Светлая', icon: <Sun size={18} aria-hidden="true" /> },
  { value: 'dark', label: 'Тёмная', icon: <Moon size={18} aria-hidden="true" /> },
] as const

/** Loaded by a click on its button, so it starts open. */
export function UserMenu({ user, compact }: { user: SessionUser; compact: boolean }) {
  const [, navigate] = useLocation()
  const theme = useTheme()
  const signOut = useSignOut()

  return (
    <Menu defaultOpen trigger={<UserButton user={user} compact={compact} />}>
      <MenuItem icon={<UserRound size={18} aria-hidden="true" />} onSelect={() => navigate(paths.profile())}>
        Профиль
      </MenuItem>
      <MenuSeparator />
      <MenuChoice label="Оформление" value={theme} options={themes} onChange={chooseTheme} />
      <MenuSeparator />
      <MenuItem
        icon={<LogOut size={18} aria-hidden="true" />}
        disabled={signOut.isPending}
        onSelect={() => signOut.mutate()}
      >
        Выйти
      </MenuItem>
    </Menu>
  )
}
