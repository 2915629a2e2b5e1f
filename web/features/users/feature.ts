import type { Feature } from '#web/lib/feature.ts'
import { Users } from '#web/ui/icons.ts'

export const feature: Feature<'users'> = {
  screens: {
    profile: { title: 'Баланс и оплата', load: () => import('./screens/profile.tsx') },
    'profile-operations': { title: 'Операции', load: () => import('./screens/operations.tsx') },
    'profile-keys': { title: 'Ключи API', load: () => import('./screens/keys.tsx') },
    'profile-settings': { title: 'Настройки', load: () => import('./screens/settings.tsx') },
    'profile-account': { title: 'Аккаунт', load: () => import('./screens/account.tsx') },
    'admin-users': {
      title: 'Пользователи',
      load: () => import('./screens/users.tsx'),
      adminPage: { group: 'people', Icon: Users, keywords: 'управление люди' },
    },
    'admin-users-id': { title: 'Пользователь', load: () => import('./screens/user.tsx') },
  },
}
