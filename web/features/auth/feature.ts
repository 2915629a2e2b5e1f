import type { Feature } from '#web/lib/feature.ts'

export const feature: Feature<'auth'> = {
  screens: {
    'auth-signin': { title: 'Вход', load: () => import('./screens/signin.tsx') },
    'auth-second-factor': { title: 'Второй шаг входа', load: () => import('./screens/second-factor.tsx') },
    'auth-email-sended': { title: 'Письмо отправлено', load: () => import('./screens/email-sended.tsx') },
  },
}
