import type { Feature } from '../feature.ts'
import { transactionRoutes } from './routes.ts'

export const transactions: Feature = {
  name: 'transactions',
  isOptional: true,
  open: () => ({ routes: transactionRoutes }),
}
