import type { Feature } from '#web/lib/feature.ts'
import { CreditCard, Package } from '#web/ui/icons.ts'

export const feature: Feature<'billing'> = {
  screens: {
    'admin-payments': {
      title: 'Оплата',
      load: () => import('./screens/payments.tsx'),
      adminPage: {
        group: 'money',
        Icon: CreditCard,
        keywords: 'управление платёжная система эквайринг СБП чеки касса',
      },
    },
    'admin-tokens-bundles': {
      title: 'Пакеты символов',
      load: () => import('./screens/tokens-bundles.tsx'),
      adminPage: { group: 'money', Icon: Package, keywords: 'управление' },
    },
  },
}
