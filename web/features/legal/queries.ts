import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type ConsentKind, legalAdminApi, legalApi, type NeededConsent, type Publication } from '#contract/legal.ts'
import { api } from '#web/lib/api.ts'
import { refreshSession } from '#web/lib/session.ts'
import { useFormCall } from '#web/lib/use-form-call.ts'

const LEGAL = 'legal'

export const legalDocumentQuery = (kind: string, version?: number) =>
  queryOptions({
    queryKey: [LEGAL, 'read', kind, version],
    queryFn: ({ signal }) =>
      api(legalApi.read, { params: { kind }, query: version === undefined ? {} : { version } }, { signal }),
    meta: { silent: true },
  })

export const neededConsentsQuery = queryOptions({
  queryKey: [LEGAL, 'needed'],
  queryFn: ({ signal }) => api(legalApi.needed, {}, { signal }),
  staleTime: 0,
  gcTime: 0,
  meta: { silent: true },
})

export const ownConsentsQuery = queryOptions({
  queryKey: [LEGAL, 'mine'],
  queryFn: ({ signal }) => api(legalApi.mine, {}, { signal }),
  meta: { silent: true },
})

export function useGiveConsents() {
  return useFormCall(
    (needed: NeededConsent[]) => {
      const documents = needed.map(({ kind, version }) => ({ kind, version }))
      return api(legalApi.give, { body: { documents } })
    },
    async (client) => {
      void client.invalidateQueries({ queryKey: ownConsentsQuery.queryKey })
      // The consents are stored: a failure here must not hide that.
      await refreshSession(client).catch(() => undefined)
    },
  )
}

export function useWithdrawConsent() {
  return useFormCall(
    (kind: ConsentKind) => api(legalApi.withdraw, { body: { kind } }),
    (client, consents) => client.setQueryData(ownConsentsQuery.queryKey, consents),
  )
}

const DOCUMENTS = 'documents'

export const documentsQuery = queryOptions({
  queryKey: [DOCUMENTS, 'list'],
  queryFn: ({ signal }) => api(legalAdminApi.list, {}, { signal }),
  meta: { silent: true },
})

export const editedDocumentQuery = (kind: string) =>
  queryOptions({
    queryKey: [DOCUMENTS, 'one', kind],
    queryFn: ({ signal }) => api(legalAdminApi.get, { params: { kind } }, { signal }),
    meta: { silent: true },
  })

/** Errors are shown in the dialog. */
export function usePublish(kind: string) {
  const client = useQueryClient()
  return useMutation({
    meta: { silent: true },
    mutationFn: (body: Publication) => api(legalAdminApi.publish, { params: { kind }, body }),
    onSuccess: (document) => {
      client.setQueryData(editedDocumentQuery(kind).queryKey, document)
      void client.invalidateQueries({ queryKey: [LEGAL] })
      return client.invalidateQueries({ queryKey: documentsQuery.queryKey })
    },
  })
}
