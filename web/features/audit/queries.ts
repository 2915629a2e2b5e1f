import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type AuditQuery, auditApi } from '#contract/audit.ts'
import { api } from '#web/lib/api.ts'

const AUDIT = 'audit'

export const auditListQuery = (query: AuditQuery) =>
  queryOptions({
    queryKey: [AUDIT, 'list', query],
    queryFn: ({ signal }) => api(auditApi.list, { query }, { signal }),
    placeholderData: keepPreviousData,
    meta: { silent: true },
  })

/** Rows never change. */
export const auditEntryQuery = (id: number) =>
  queryOptions({
    queryKey: [AUDIT, 'one', id],
    queryFn: ({ signal }) => api(auditApi.get, { params: { id: String(id) } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { silent: true },
  })

export const auditChoicesQuery = queryOptions({
  queryKey: [AUDIT, 'choices'],
  queryFn: ({ signal }) => api(auditApi.choices, {}, { signal }),
  meta: { silent: true },
})

/** Reads the whole log, so it runs only on demand. */
export const chainQuery = queryOptions({
  queryKey: [AUDIT, 'chain'],
  queryFn: ({ signal }) => api(auditApi.verify, {}, { signal }),
  enabled: false,
  gcTime: 0,
  meta: { silent: true },
})
