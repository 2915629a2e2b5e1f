import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_INSTRUCTIONS } from '#contract/assistants.ts'
import { MAX_PROJECT_NAME, type Project, ProjectChange } from '#contract/projects.ts'
import {
  assistantModels,
  CountrySwitch,
  InstructionsCost,
  modelOptions,
  placeAndSearch,
  SearchWordsSwitch,
} from '#web/features/assistants/form/assistant-fields.tsx'
import { modelsQuery } from '#web/features/models/queries.ts'
import { message } from '#web/lib/notify.ts'
import { Button } from '#web/ui/button.tsx'
import { FoldedSection, FormSection } from '#web/ui/form/form-section.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { Switch } from '#web/ui/switch.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { IconField } from '../icon-field.tsx'
import { changeProject } from '../queries.ts'

type Draft = Record<'name' | 'icon' | 'instructions' | 'modelId' | 'country', string> &
  Record<'replacesPersonal' | 'searchWords', boolean>

const draftOf = ({ name, icon, instructions, modelId, country, replacesPersonal, searchWords }: Project): Draft => ({
  ...{ name, icon, instructions, replacesPersonal, searchWords },
  ...{ modelId: modelId ?? '', country: country ?? '' },
})

/** Name, instructions, model and country of a project. */
export function ProjectForm({ project }: { project: Project }) {
  const client = useQueryClient()
  // The fields stay as they were opened: a change in another window must not replace typed words.
  const [opened] = useState(project)
  const form = useForm<Draft, ProjectChange>({
    draft: draftOf(opened),
    schema: ProjectChange,
    read: (draft) => ({ ...draft, modelId: draft.modelId || null, country: draft.country || null }),
    save: async (body) => {
      await changeProject(client, project.id, body)
      message.success('Проект сохранён')
    },
  })
  const { data: models = [] } = useQuery(modelsQuery)
  const { country, icon, instructions, modelId } = form.draft
  const all = assistantModels(models)
  const offered = all.filter((other) => country === '' || other.country === country)
  const model = offered.find(({ id }) => id === modelId) ?? null
  return (
    <form {...form.form} className="flex flex-col gap-8">
      <FormSection
        title="Инструкции"
        description="Идут с каждым вопросом в чатах проекта: сначала инструкции ассистента, затем проекта, затем ваши общие."
      >
        <TextArea
          {...form.text('instructions')}
          label="Что учитывать в ответах"
          placeholder="О чём проект и как отвечать. Например: квартира 54 м², размеры в метрах, цены в рублях."
          maxLength={MAX_INSTRUCTIONS}
          className="min-h-40"
          hint={<InstructionsCost text={instructions} model={model} />}
        />
        <Switch
          label="Вместо моих общих"
          hint="Ваши общие инструкции из профиля в чатах этого проекта не отправляются."
          {...form.flag('replacesPersonal')}
        />
      </FormSection>
      <FormSection title="Карточка">
        <TextField {...form.text('name')} label="Название" autoComplete="off" maxLength={MAX_PROJECT_NAME} />
        <IconField value={icon} onChange={(chosen) => form.set({ icon: chosen })} />
      </FormSection>
      <FormSection title="Модель">
        <SelectField
          {...form.text('modelId')}
          label="С какой моделью начинаются чаты"
          options={modelOptions(offered, modelId, opened)}
          hint={model?.description || undefined}
        />
      </FormSection>
      <FoldedSection title="Дополнительно" summary={placeAndSearch(country, form.draft.searchWords)} hasError={false}>
        <CountrySwitch
          country={country}
          isEmpty={offered.length === 0}
          onChange={(bound) => {
            const isAllowed = bound === '' || all.some((other) => other.id === modelId && other.country === bound)
            form.set({ country: bound, ...(!isAllowed && { modelId: '' }) })
          }}
        />
        <SearchWordsSwitch model={model} {...form.flag('searchWords')} />
      </FoldedSection>
      {form.fieldErrors.form && (
        <p role="alert" className="text-sm text-danger">
          {form.fieldErrors.form}
        </p>
      )}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" busy={form.isSaving} disabled={!form.isDirty}>
          Сохранить
        </Button>
        {form.isDirty && (
          <Button variant="ghost" onClick={form.undo}>
            Отменить
          </Button>
        )}
      </div>
    </form>
  )
}
