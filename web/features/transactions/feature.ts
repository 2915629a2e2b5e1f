import type { Feature } from '#web/lib/feature.ts'
import { ReceiptText } from '#web/ui/icons.ts'

export const feature: Feature<'transactions'> = {
  isOptional: true,
  screens: {
    'admin-transactions': {
      title: 'Транзакции',
      load: () => import('./screens/transactions.tsx'),
      adminPage: { group: 'money', Icon: ReceiptText, keywords: 'управление платежи списания' },
    },
  },
}
