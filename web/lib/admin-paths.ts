const segment = encodeURIComponent

/** The addresses of the admin screens, apart from the others: the first load has no use for them. */
export const adminPaths = {
  plans: () => '/admin/plans',
  planAdd: () => '/admin/plans/add',
  plan: (id: string) => `/admin/plans/${segment(id)}`,
  models: () => '/admin/models',
  modelAdd: () => '/admin/models/add',
  model: (id: string) => `/admin/models/${segment(id)}`,
  users: () => '/admin/users',
  user: (id: string) => `/admin/users/${segment(id)}`,
  promoCodes: () => '/admin/promocodes',
  promoCodeAdd: () => '/admin/promocodes/add',
  promoCode: (id: string) => `/admin/promocodes/${segment(id)}`,
  statistic: () => '/admin/statistic',
  status: () => '/admin/status',
  transactions: () => '/admin/transactions',
  transactionsOf: (userId: string) => `/admin/transactions?user=${segment(userId)}`,
  transactionsOfKey: (userId: string, keyId: string) =>
    `/admin/transactions?user=${segment(userId)}&key=${segment(keyId)}`,
  disputes: () => '/admin/disputes',
  dispute: (id: string) => `/admin/disputes/${segment(id)}`,
  audit: () => '/admin/audit',
  auditOf: (target: string) => `/admin/audit?target=${segment(target)}`,
  limits: () => '/admin/limits',
  documents: () => '/admin/documents',
  document: (kind: string) => `/admin/documents/${segment(kind)}`,
  payments: () => '/admin/payments',
  tokenBundles: () => '/admin/tokens-bundles',
}
