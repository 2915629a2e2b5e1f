import { useLocation } from 'wouter'
import type { AdminModel } from '#contract/models.ts'
import { ModelDraft } from '#contract/models-admin.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { message } from '#web/lib/notify.ts'
import { changedOnly } from '#web/ui/form/field-errors.ts'
import { useForm } from '#web/ui/form/use-form.ts'
import { keepSkills, modelFields, newModel, readModel } from './model-draft.ts'
import { useSaveModel } from './queries.ts'

/** `model` is null for a new one, which is put at `position`. */
export function useModelForm(model: AdminModel | null, position: number) {
  const [, navigate] = useLocation()
  const save = useSaveModel()
  return useForm({
    draft: model ? modelFields(model) : newModel,
    schema: ModelDraft,
    read: readModel,
    save: async (draft) => {
      if (model) {
        const { id: _, position: __, ...body } = draft
        const stored = { ...model, imageSkills: model.hasOwnSkills ? (model.imageSkills ?? null) : null }
        await save.mutateAsync({
          id: model.id,
          body: changedOnly(stored, { ...body, imageSkills: keepSkills(stored.imageSkills, body.imageSkills) }),
        })
        message.success('Модель сохранена')
      } else {
        const { id } = await save.mutateAsync({ id: null, body: { ...draft, position } })
        message.success('Модель добавлена')
        navigate(adminPaths.model(id), { replace: true })
      }
    },
  })
}

export type ModelFormState = ReturnType<typeof useModelForm>
