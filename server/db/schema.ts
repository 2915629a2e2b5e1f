export * from './tables/auth.ts'
export * from './tables/billing.ts'
export * from './tables/models.ts'
export * from './tables/users.ts'
