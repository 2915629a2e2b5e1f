import { useLocation } from 'wouter'
import type { SessionUser } from '#contract/page.ts'
import { useSignOut } from '#web/features/auth/queries.ts'
import { paths } from '#web/lib/paths.ts'
import { hasKeyboard } from '#web/lib/shortcuts.ts'
import { chooseTheme, useTheme } from '#web/lib/theme.ts'
import { Keyboard, LogOut, Monitor, Moon, Sun, UserRound, Wallet } from '#web/ui/icons.ts'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { openShortcutsDialog } from './use-shortcuts-dialog.ts'
import { UserButton } from './user-button.tsx'

const themes = [
  { value: 'system', label: 'Как в системе', icon: <Monitor size={18} aria-hidden="true" /> },
  { value: 'light', label: 'Светлая', icon: <Sun size={18} aria-hidden="true" /> },
  { value: 'dark', label: 'Тёмная', icon: <Moon size={18} aria-hidden="true" /> },
] as const

const links = [
  { label: 'Профиль', href: paths.profile(), Icon: UserRound },
  { label: 'Пополнить', href: paths.profile('bundles'), Icon: Wallet },
]

/** Loaded by a click on its button, so it starts open. */
export function UserMenu({ user, isCompact }: { user: SessionUser; isCompact: boolean }) {
  const [, navigate] = useLocation()
  const theme = useTheme()
  const signOut = useSignOut()

  return (
    <Menu defaultOpen trigger={<UserButton user={user} isCompact={isCompact} />}>
      {links.map(({ label, href, Icon }) => (
        <MenuItem key={label} icon={<Icon size={18} aria-hidden="true" />} onSelect={() => navigate(href)}>
          {label}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuChoice label="Оформление" value={theme} options={themes} onChange={chooseTheme} />
      <MenuSeparator />
      {hasKeyboard() && (
        <MenuItem icon={<Keyboard size={18} aria-hidden="true" />} onSelect={openShortcutsDialog}>
          Горячие клавиши
        </MenuItem>
      )}
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
