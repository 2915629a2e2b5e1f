import type { AdminModel } from '#contract/models.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { FieldRow, FoldedSection, FormSection } from '#web/ui/form/form-section.tsx'
import { DeleteButton, FormShell } from '#web/ui/form/form-shell.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { SymbolsField } from '#web/ui/form/unit-field.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { ImageSkillFields } from './image-skill-fields.tsx'
import type { ModelFields } from './model-draft.ts'
import { kindNames, limitsLabel, replacementLabel, skillsLabel } from './model-labels.ts'
import { CostFields, MainPrice } from './price-fields.tsx'
import { ProviderFields } from './provider-fields.tsx'
import { useDeleteModel } from './queries.ts'
import { SpeakerFields } from './speaker-fields.tsx'
import { type ModelFormState, useModelForm } from './use-model-form.ts'

interface ModelFormProps {
  /** Null for a new model. */
  model: AdminModel | null
  others: AdminModel[]
  onLeave: () => void
}

export function ModelForm({ model, others, onLeave }: ModelFormProps) {
  const form = useModelForm(model, others.length)
  const remove = useDeleteModel()
  const hasError = (...names: (keyof ModelFields)[]) => names.some((name) => form.fieldErrors[name])
  return (
    <FormShell
      title={model ? model.name : 'Новая модель'}
      back={{ label: 'Модели', href: adminPaths.models() }}
      form={form}
      save={model ? { label: 'Сохранить', isNew: false } : { label: 'Добавить модель', isNew: true }}
      aside={
        model && (
          <DeleteButton
            onClick={() => {
              onLeave()
              remove(model)
            }}
          >
            Удалить модель
          </DeleteButton>
        )
      }
    >
      <FormSection title="Модель">
        <ProviderFields form={form} isNew={model === null} />
        <FieldRow>
          <TextField label="Название" required maxLength={100} {...form.text('name')} />
          <SelectField label="Вид" options={kinds} {...form.text('kind')} />
          <MainPrice form={form} />
        </FieldRow>
        <Switch label="Видна пользователям" {...visibilitySwitch(form)} />
      </FormSection>
      <div className="flex flex-col gap-3">
        <FoldedSection
          title="Описание"
          summary={form.draft.description || 'Пока пусто'}
          hasError={hasError('id', 'description')}
        >
          <TextArea label="Описание" hint="Для чего она хороша, одной строкой." {...form.text('description')} />
          <TextField
            label="Идентификатор"
            hint={model ? 'Не меняется: по нему записаны списания.' : 'Латиницей. Потом его не изменить.'}
            disabled={model !== null}
            maxLength={64}
            spellCheck={false}
            autoComplete="off"
            {...form.text('id')}
          />
        </FoldedSection>
        {form.draft.kind === 'text' && (
          <FoldedSection title="Что умеет" summary={skillsLabel(form.draft)} hasError={false}>
            <Switch label="Можно с ассистентами" {...form.flag('canUseWithAssistant')} />
            <Switch
              label="Видит картинки"
              hint="К вопросу можно будет приложить изображение."
              {...form.flag('vision')}
            />
            <Switch
              label="Можно выбрать, сколько думать"
              hint="Рядом с моделью появится выбор: «Обычно», «Подумать», «Подумать дольше»."
              {...form.flag('thinks')}
            />
          </FoldedSection>
        )}
        {form.draft.kind === 'transcription' && (
          <SpeakerFields form={form} hasError={hasError('speakers', 'maxSpeakers')} />
        )}
        {form.draft.kind === 'image' && <ImageSkillFields form={form} />}
        <CostFields form={form} hasError={hasError} />
        <FoldedSection
          title="Пределы"
          summary={limitsLabel(form.draft)}
          hasError={hasError('contextSymbols', 'maxOutputSymbols')}
        >
          <FieldRow>
            <SymbolsField
              label="Предел вопроса"
              hint="Вместе с историей чата. Пустое поле: без предела."
              {...form.text('contextSymbols')}
            />
            <SymbolsField
              label="Предел ответа"
              hint="Пустое поле: сколько даст модель."
              {...form.text('maxOutputSymbols')}
            />
          </FieldRow>
        </FoldedSection>
        <FoldedSection
          title="Замена и отключение"
          summary={replacementLabel(form.draft, others)}
          hasError={hasError('fallbackId', 'retiresOn', 'successorId')}
        >
          <SelectField
            label="Запасная модель"
            hint="Ответит, если эта занята или недоступна."
            options={fallbacks(others, form.draft.kind)}
            {...form.text('fallbackId')}
          />
          <FieldRow>
            <TextField
              label="Когда отключат"
              type="date"
              hint="Пустое поле: срок неизвестен. Объявленный провайдером появится сам."
              {...form.text('retiresOn')}
            />
            <SelectField
              label="Замена после отключения"
              hint={successorHint(form.draft)}
              options={successors(others, form.draft.kind, model?.successorId ?? null)}
              {...form.text('successorId')}
            />
          </FieldRow>
        </FoldedSection>
      </div>
    </FormShell>
  )
}

const kinds = Object.entries(kindNames).map(([value, label]) => ({ value, label }))

/** The switch «Видна» is the inverse of `hidden`. */
function visibilitySwitch(form: ModelFormState) {
  const { checked, onChange } = form.flag('hidden')
  return { checked: !checked, onChange: (isShown: boolean) => onChange(!isShown) }
}

/** A hidden model cannot replace another, unless it was chosen before. */
function successors(others: AdminModel[], kind: string, chosen: string | null) {
  return fallbacks(
    others.filter(({ id, hidden }) => !hidden || id === chosen),
    kind,
  )
}

function successorHint({ retiresOn, successorId, kind }: ModelFields): string {
  if (kind === 'embedding') return 'Поиск по файлам на другую модель сам не переходит: файлы нужно прочитать заново.'
  if (retiresOn !== '' && successorId === '') return 'Без замены модель останется в списке и перестанет отвечать.'
  return 'В этот день на неё перейдут чаты, настройки и ассистенты, а эта модель скроется.'
}

function fallbacks(others: AdminModel[], kind: string) {
  const fitting = others.filter((other) => other.kind === kind)
  return [{ value: '', label: 'Нет' }, ...fitting.map(({ id, name }) => ({ value: id, label: name }))]
}
