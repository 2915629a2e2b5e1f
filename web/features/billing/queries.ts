import {
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import { billingApi, type Grant, type SingleSubscription } from '#contract/billing.ts'
import { bundlesApi, plansApi } from '#contract/plans.ts'
import { transactionsApi } from '#contract/transactions.ts'
import { profileQuery } from '#web/features/users/queries.ts'
import { api, apiPage } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { subscribe } from '#web/lib/realtime.ts'
import { useFormCall } from '#web/lib/use-form-call.ts'
import type { OperationQuery } from './operation-filter.ts'

/** What is on sale; grants, operations and usage of the balance. Errors are shown in place. */

export const BILLING = 'billing'
/** A short first page: the settings are below the list. */
const PAGE = 15

export const grantsQuery = callQuery([BILLING, 'grants'], billingApi.grants, {})

export const usageQuery = (days: number) =>
  callQuery([BILLING, 'usage', days], billingApi.usage, { query: { days } }, { placeholderData: keepPreviousData })

export const operationsQuery = (filter: OperationQuery) =>
  infiniteQueryOptions({
    queryKey: [BILLING, 'operations', filter],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filter, limit: PAGE, ...(pageParam && { cursor: pageParam }) }
      return apiPage(transactionsApi.list, { query }, { signal })
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    meta: { silent: true },
  })

const PRICES_MS = 5 * 60_000

export const plansQuery = queryOptions({
  queryKey: ['plans'],
  queryFn: async ({ signal }) => onSale(await api(plansApi.list, {}, { signal })),
  staleTime: PRICES_MS,
  meta: { silent: true },
})

export const bundlesQuery = queryOptions({
  queryKey: ['bundles'],
  queryFn: async ({ signal }) => onSale(await api(bundlesApi.list, {}, { signal })),
  staleTime: PRICES_MS,
  meta: { silent: true },
})

/** The server returns archived ones to administrators too. */
function onSale<Item extends { active: boolean; position: number }>(items: Item[]): Item[] {
  return items.filter(({ active }) => active).sort((a, b) => a.position - b.position)
}

export function refreshBilling(client: QueryClient) {
  return Promise.all([
    client.invalidateQueries({ queryKey: profileQuery.queryKey }),
    client.invalidateQueries({ queryKey: [BILLING] }),
  ])
}

export function cacheBalance(client: QueryClient, { SingleSubscription }: { SingleSubscription: SingleSubscription }) {
  client.setQueryData(profileQuery.queryKey, (profile) => profile && { ...profile, SingleSubscription })
  return client.invalidateQueries({ queryKey: [BILLING] })
}

/** Refreshes the open lists on balance events; the balance itself is updated by the app frame. */
export function useBillingEvents() {
  const client = useQueryClient()
  useEffect(() => subscribe('profile', () => void client.invalidateQueries({ queryKey: [BILLING] })), [client])
}

export function useSetDailyCap() {
  return useFormCall(
    (dailyCap: number | null) => api(billingApi.setDailyCap, { body: { dailyCap } }),
    (client, answer) => cacheBalance(client, answer),
  )
}

/** Resolves to the number of symbols received, or null when it is unknown. */
export function useApplyPromocode(userId: string) {
  const client = useQueryClient()
  return useFormCall(async (input: string) => {
    const code = input.trim()
    if (code === '') throw new Error('Введите промокод.')
    await cacheBalance(client, await api(billingApi.applyPromocode, { params: { id: userId }, body: { code } }))
    const grants = await client.fetchQuery(grantsQuery).catch(() => [])
    return newestPromo(grants)?.symbols ?? null
  })
}

function newestPromo(grants: Grant[]): Grant | undefined {
  return grants.filter(({ kind }) => kind === 'promo').sort((a, b) => b.createdAt.localeCompare(a.createdAt))[0]
}

export function useDispute() {
  return useFormCall(
    async ({ id, reason }: { id: string; reason: string }) => {
      if (reason.trim() === '') throw new Error('Напишите, что не так со списанием.')
      return api(transactionsApi.dispute, { params: { id }, body: { reason } })
    },
    (client) => client.invalidateQueries({ queryKey: [BILLING, 'operations'] }),
  )
}
