import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { ModelForm } from '#web/features/models/admin/model-form.tsx'
import { ModelRatingsCard } from '#web/features/models/admin/model-ratings.tsx'
import { allModelsQuery } from '#web/features/models/admin/queries.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { FormLoading, ItemNotFound } from '#web/ui/form/form-loading.tsx'

/** Edits a model; without an id, adds one. */
export default function ModelScreen({ params: { id } }: { params: Record<string, string> }) {
  const [, navigate] = useLocation()
  const models = useQuery(allModelsQuery)
  if (!models.data) return <FormLoading query={models} />
  const model = models.data.find((each) => each.id === id) ?? null
  if (id !== undefined && !model)
    return <ItemNotFound title="Такой модели нет" back={{ label: 'К списку моделей', href: adminPaths.models() }} />
  return (
    <>
      <ModelForm
        key={id ?? 'new'}
        model={model}
        others={models.data.filter((each) => each.id !== id)}
        onLeave={() => navigate(adminPaths.models(), { replace: true })}
      />
      {model?.kind === 'text' && <ModelRatingsCard modelId={model.id} />}
    </>
  )
}
