import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ConsentKind, legalAdminApi, legalApi, type NeededConsent, type Publication } from '#contract/legal.ts'
import { api } from '#web/lib/api.ts'
import { callQuery } from '#web/lib/call-query.ts'
import { refreshSession } from '#web/lib/session.ts'
import { useFormCall } from '#web/lib/use-form-call.ts'

const LEGAL = 'legal'

export const legalDocumentQuery = (kind: string, version?: number) =>
  callQuery([LEGAL, 'read', kind, version], legalApi.read, {
    params: { kind },
    query: version === undefined ? {} : { version },
  })

export const neededConsentsQuery = callQuery([LEGAL, 'needed'], legalApi.needed, {}, { staleTime: 0, gcTime: 0 })

export const ownConsentsQuery = callQuery([LEGAL, 'mine'], legalApi.mine, {})

export function useGiveConsents() {
  return useFormCall(
    (needed: Pick<NeededConsent, 'kind' | 'version'>[]) => {
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

export const documentsQuery = callQuery([DOCUMENTS, 'list'], legalAdminApi.list, {})

export const editedDocumentQuery = (kind: string) =>
  callQuery([DOCUMENTS, 'one', kind], legalAdminApi.get, { params: { kind } })

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
