import { keepPreviousData } from '@tanstack/react-query'
import { type AuditQuery, auditApi } from '#contract/audit.ts'
import { callQuery } from '#web/lib/call-query.ts'

const AUDIT = 'audit'

export const auditListQuery = (query: AuditQuery) =>
  callQuery([AUDIT, 'list', query], auditApi.list, { query }, { placeholderData: keepPreviousData })

/** Rows never change. */
export const auditEntryQuery = (id: number) =>
  callQuery([AUDIT, 'one', id], auditApi.get, { params: { id: String(id) } }, { staleTime: Number.POSITIVE_INFINITY })

export const auditChoicesQuery = callQuery([AUDIT, 'choices'], auditApi.choices, {})

/** Reads the whole log, so it runs only on demand. */
export const chainQuery = callQuery([AUDIT, 'chain'], auditApi.verify, {}, { enabled: false, gcTime: 0 })
