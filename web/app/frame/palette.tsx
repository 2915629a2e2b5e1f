import { navigate } from 'wouter/use-browser-location'
import { type ProfileSection, profilePath } from '#contract/profile-sections.ts'
import { Palette } from '#web/features/search/palette.tsx'
import type { Command } from '#web/features/search/palette-items.ts'
import type { NavItem } from '#web/lib/feature.ts'
import { paths } from '#web/lib/paths.ts'
import { useSession } from '#web/lib/session.ts'
import { hasKeyboard, shortcutKeys } from '#web/lib/shortcuts.ts'
import { chooseTheme, useTheme } from '#web/lib/theme.ts'
import { Keyboard, Moon, PanelLeft, SquarePen, Sun, UserRound } from '#web/ui/icons.ts'
import { adminPages, panelPages } from './navigation.ts'
import { openShortcutsDialog } from './use-shortcuts-dialog.ts'

interface FramePaletteProps {
  typed: string
  /** Null where the panel cannot be folded. */
  panel: { isFolded: boolean; toggle: () => void } | null
  onClose: () => void
}

export function FramePalette({ typed, panel, onClose }: FramePaletteProps) {
  const isAdmin = useSession()?.role === 'admin'
  const theme = useTheme()
  const isDark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  const pages = [...panelPages(), ...profilePages, ...((isAdmin && adminPages.get()) || [])]
  return <Palette typed={typed} commands={[...actions(isDark, panel), ...pages.map(pageCommand)]} onClose={onClose} />
}

function pageCommand({ href, label, Icon, keywords }: NavItem): Command {
  return { id: href, title: label, keywords, Icon, ...sectionNote(href), run: () => navigate(href) }
}

function sectionNote(href: string) {
  if (href.startsWith(paths.profile())) return { note: 'Профиль' }
  return href.startsWith('/admin') ? { note: 'Управление' } : {}
}

function actions(isDark: boolean, panel: FramePaletteProps['panel']): Command[] {
  return [
    {
      id: 'new-chat',
      title: 'Новый чат',
      ...(hasKeyboard() && { note: shortcutKeys('newChat') }),
      keywords: 'начать беседа спросить',
      Icon: SquarePen,
      run: () => navigate(paths.home()),
    },
    {
      id: 'theme',
      title: isDark ? 'Включить светлую тему' : 'Включить тёмную тему',
      keywords: 'сменить тему оформление ночь день',
      Icon: isDark ? Sun : Moon,
      run: () => chooseTheme(isDark ? 'light' : 'dark'),
    },
    ...(panel
      ? [
          {
            id: 'panel',
            title: panel.isFolded ? 'Развернуть панель' : 'Свернуть панель',
            keywords: 'меню боковая',
            Icon: PanelLeft,
            run: panel.toggle,
          },
        ]
      : []),
    ...(hasKeyboard()
      ? [
          {
            id: 'keys',
            title: 'Горячие клавиши',
            note: shortcutKeys('keys'),
            keywords: 'сочетания шорткаты клавиатура подсказка',
            Icon: Keyboard,
            run: openShortcutsDialog,
          },
        ]
      : []),
  ]
}

const sections: [id: ProfileSection, label: string, keywords: string][] = [
  ['balance', 'Баланс', 'символы остаток деньги'],
  ['plan', 'Подписка', 'тариф оплата купить'],
  ['bundles', 'Пакеты символов', 'купить докупить пополнить'],
  ['promo', 'Промокод', 'купон скидка'],
  ['usage', 'Расход по дням', 'статистика траты график'],
  ['operations', 'Операции', 'списания начисления история'],
  ['receipts', 'Платежи и чеки', 'оплата квитанции'],
  ['chat', 'Настройки чата', 'модель память названия enter'],
  ['appearance', 'Оформление', 'тема тёмная светлая'],
  ['account', 'Обо мне', 'имя фото аватар'],
  ['email', 'Почта', 'адрес email'],
  ['password', 'Пароль', 'сменить'],
  ['sign-in', 'Способы входа', 'соцсети привязать'],
  ['second-factor', 'Вход в два шага', 'код приложение безопасность'],
  ['passkeys', 'Ключи доступа', 'passkey отпечаток'],
  ['sessions', 'Сеансы', 'устройства выйти'],
  ['consents', 'Мои согласия', 'оферта персональные данные отозвать'],
  ['data', 'Мои данные', 'скачать копию выгрузка'],
  ['delete', 'Удаление аккаунта', 'удалить'],
]

const profilePages: NavItem[] = [
  { href: paths.profile(), label: 'Профиль', keywords: 'кабинет баланс оплата пополнить', Icon: UserRound },
  { href: paths.profileSettings(), label: 'Настройки', keywords: 'параметры', Icon: UserRound },
  { href: paths.profileAccount(), label: 'Аккаунт', keywords: 'учётная запись', Icon: UserRound },
  ...sections.map(([id, label, keywords]) => ({ href: profilePath(id), label, keywords, Icon: UserRound })),
]
