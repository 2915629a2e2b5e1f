import { Moon, PanelLeft, SquarePen, Sun } from 'lucide-react'
import { navigate } from 'wouter/use-browser-location'
import { Palette } from '#web/features/search/palette.tsx'
import type { Command } from '#web/features/search/palette-items.ts'
import { paths } from '#web/lib/paths.ts'
import { useSession } from '#web/lib/session.ts'
import { chooseTheme, useTheme } from '#web/lib/theme.ts'
import { adminNavigation, mainNavigation, type NavItem } from './navigation.ts'
import { otherNames, profilePlaces } from './palette-pages.ts'
import { newChatKeys } from './use-new-chat-shortcut.ts'

interface FramePaletteProps {
  typed: string
  /** The panel, where there is one to fold. */
  panel: { isFolded: boolean; toggle: () => void } | null
  onClose: () => void
}

/** The palette with all that this product can do. */
export function FramePalette({ typed, panel, onClose }: FramePaletteProps) {
  const isAdmin = useSession()?.role === 'admin'
  const theme = useTheme()
  const isDark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  const pages = [...mainNavigation, ...profilePlaces, ...(isAdmin ? adminNavigation : [])]
  return <Palette typed={typed} commands={[...actions(isDark, panel), ...pages.map(pageCommand)]} onClose={onClose} />
}

function pageCommand({ href, label, Icon, words }: NavItem & { words?: string }): Command {
  return {
    id: href,
    title: label,
    words: words ?? otherNames[href] ?? '',
    Icon,
    ...noteOf(href),
    run: () => navigate(href),
  }
}

function noteOf(href: string) {
  if (href.startsWith(`${paths.profile()}#`)) return { note: 'Профиль' }
  return href.startsWith('/admin') ? { note: 'Управление' } : {}
}

function actions(isDark: boolean, panel: FramePaletteProps['panel']): Command[] {
  return [
    {
      id: 'new-chat',
      title: 'Новый чат',
      note: newChatKeys,
      words: 'начать беседа спросить',
      Icon: SquarePen,
      run: () => navigate(paths.home()),
    },
    {
      id: 'theme',
      title: isDark ? 'Включить светлую тему' : 'Включить тёмную тему',
      words: 'сменить тему оформление ночь день',
      Icon: isDark ? Sun : Moon,
      run: () => chooseTheme(isDark ? 'light' : 'dark'),
    },
    ...(panel
      ? [
          {
            id: 'panel',
            title: panel.isFolded ? 'Развернуть панель' : 'Свернуть панель',
            words: 'меню боковая',
            Icon: PanelLeft,
            run: panel.toggle,
          },
        ]
      : []),
  ]
}
