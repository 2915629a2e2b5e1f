import type { ComponentType } from 'react'
import type { ScreenName } from '#contract/screens.ts'

export type AdminScreenName = Extract<ScreenName, `admin-${string}`>
type Screen = ComponentType<{ screen: ScreenName; params: Record<string, string> }>

const plan = async () => (await import('./plan.tsx')).PlanScreen
const model = async () => (await import('./model.tsx')).ModelScreen
const promoCode = async () => (await import('./promocode.tsx')).PromoCodeScreen

const screens: Record<AdminScreenName, () => Promise<Screen>> = {
  'admin-plans': async () => (await import('./plans.tsx')).PlansScreen,
  'admin-plans-add': plan,
  'admin-plans-id': plan,
  'admin-models': async () => (await import('./models.tsx')).ModelsScreen,
  'admin-models-add': model,
  'admin-models-id': model,
  'admin-users': async () => (await import('./users.tsx')).UsersScreen,
  'admin-users-id': async () => (await import('./user.tsx')).UserScreen,
  'admin-promocodes': async () => (await import('./promocodes.tsx')).PromoCodesScreen,
  'admin-promocodes-add': promoCode,
  'admin-promocodes-id': promoCode,
  'admin-transactions': async () => (await import('./transactions.tsx')).TransactionsScreen,
  'admin-disputes': async () => (await import('./disputes.tsx')).DisputesScreen,
  'admin-disputes-id': async () => (await import('./dispute.tsx')).DisputeScreen,
  'admin-audit': async () => (await import('./audit.tsx')).AuditScreen,
  'admin-limits': async () => (await import('./limits.tsx')).LimitsScreen,
  'admin-statistic': async () => (await import('./statistic.tsx')).StatisticScreen,
  'admin-tokens-bundles': async () => (await import('./tokens-bundles.tsx')).TokenBundlesScreen,
}

/**
 * A screen of the owner's, loaded when it is asked for. They stand apart from the table of all screens: that one is
 * part of everybody's first page, and each screen named there brings its list of files along.
 */
export function loadAdminScreen(screen: AdminScreenName): Promise<Screen> {
  return screens[screen]()
}
