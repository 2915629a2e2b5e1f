import { useProfile } from '#web/features/users/queries.ts'

/** Symbols on the balance; null until they are known. */
export const useAvailable = () => useProfile().data?.SingleSubscription.availableTokens ?? null
