import type { ComponentType } from 'react'
import type { ScreenName } from '#contract/screens.ts'

type Screen = ComponentType<{ screen: ScreenName; params: Record<string, string> }>

const plan = async () => (await import('./admin/plan.tsx')).PlanScreen
const model = async () => (await import('./admin/model.tsx')).ModelScreen
const promoCode = async () => (await import('./admin/promocode.tsx')).PromoCodeScreen

/**
 * Screens that a visit rarely starts with. They are apart from the table in `app/screen-parts.ts`, which is in the
 * first download: each screen named there brings the names of its chunks along.
 */
const screens = {
  'auth-second-factor': async () => (await import('./auth/second-factor.tsx')).SecondFactorScreen,
  prompts: async () => (await import('./prompts.tsx')).PromptsScreen,
  'prompts-add': async () => (await import('./prompts-add.tsx')).PromptAddScreen,
  'prompts-id': async () => (await import('./prompts-id.tsx')).PromptScreen,
  'legal-kind': async () => (await import('./legal.tsx')).LegalScreen,
  profile: async () => (await import('./profile.tsx')).ProfileScreen,
  'profile-operations': async () => (await import('./profile/operations.tsx')).OperationsScreen,
  'profile-settings': async () => (await import('./profile/settings.tsx')).SettingsScreen,
  'profile-account': async () => (await import('./profile/account.tsx')).AccountScreen,
  promptcms: async () => (await import('./promptcms.tsx')).PromptCmsScreen,
  assistants: async () => (await import('./assistants.tsx')).AssistantsScreen,
  'assistants-create': async () => (await import('./assistants-create.tsx')).AssistantCreateScreen,
  'assistants-id-edit': async () => (await import('./assistants-id-edit.tsx')).AssistantEditScreen,
  images: async () => (await import('./images.tsx')).ImagesScreen,
  transcribe: async () => (await import('./transcribe.tsx')).TranscribeScreen,
  'admin-plans': async () => (await import('./admin/plans.tsx')).PlansScreen,
  'admin-plans-add': plan,
  'admin-plans-id': plan,
  'admin-models': async () => (await import('./admin/models.tsx')).ModelsScreen,
  'admin-models-add': model,
  'admin-models-id': model,
  'admin-users': async () => (await import('./admin/users.tsx')).UsersScreen,
  'admin-users-id': async () => (await import('./admin/user.tsx')).UserScreen,
  'admin-promocodes': async () => (await import('./admin/promocodes.tsx')).PromoCodesScreen,
  'admin-promocodes-add': promoCode,
  'admin-promocodes-id': promoCode,
  'admin-transactions': async () => (await import('./admin/transactions.tsx')).TransactionsScreen,
  'admin-disputes': async () => (await import('./admin/disputes.tsx')).DisputesScreen,
  'admin-disputes-id': async () => (await import('./admin/dispute.tsx')).DisputeScreen,
  'admin-audit': async () => (await import('./admin/audit.tsx')).AuditScreen,
  'admin-limits': async () => (await import('./admin/limits.tsx')).LimitsScreen,
  'admin-documents': async () => (await import('./admin/documents.tsx')).DocumentsScreen,
  'admin-documents-kind': async () => (await import('./admin/document.tsx')).DocumentScreen,
  'admin-status': async () => (await import('./admin/status.tsx')).StatusScreen,
  'admin-statistic': async () => (await import('./admin/statistic.tsx')).StatisticScreen,
  'admin-tokens-bundles': async () => (await import('./admin/tokens-bundles.tsx')).TokenBundlesScreen,
} satisfies Partial<Record<ScreenName, () => Promise<Screen>>>
type LazyScreenName = keyof typeof screens

export function loadScreen(screen: LazyScreenName): Promise<Screen> {
  return screens[screen]()
}
