import { useQuery } from '@tanstack/react-query'
import { ApiError } from '#contract/errors.ts'
import { DocumentEditor } from '#web/features/legal/document-editor.tsx'
import { editedDocumentQuery } from '#web/features/legal/queries.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { FormLoading, ItemNotFound } from '#web/ui/form/form-loading.tsx'

export default function DocumentScreen({ params: { kind = '' } }: { params: Record<string, string> }) {
  const document = useQuery({ ...editedDocumentQuery(kind), refetchOnWindowFocus: false })
  if (document.error instanceof ApiError && document.error.status === 404)
    return <ItemNotFound title="Такого документа нет" back={{ label: 'К документам', href: adminPaths.documents() }} />
  if (!document.data) return <FormLoading query={document} />
  return <DocumentEditor key={document.data.versions.length} document={document.data} />
}
