import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import {
  type Assistant,
  AssistantDraft,
  MAX_ASSISTANT_NAME,
  MAX_DESCRIPTION,
  MAX_INSTRUCTIONS,
  SEARCH_WORDS_SYMBOLS,
} from '#contract/assistants.ts'
import { countSymbols, price } from '#contract/billing.ts'
import { inCountryLabel } from '#contract/countries.ts'
import type { Model } from '#contract/models.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { homeCountry } from '#web/lib/data-place.ts'
import { formatNumber, formatSymbols, upToSymbols } from '#web/lib/format.ts'
import { FoldedSection, FormSection } from '#web/ui/form/form-section.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { Switch } from '#web/ui/switch.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { type FormDraft, readDraft } from '../assistant-draft.ts'
import { AvatarField } from './avatar-field.tsx'
import { StartersField } from './starters-field.tsx'

export function useAssistantForm(draft: FormDraft, save: (body: AssistantDraft) => Promise<unknown>) {
  return useForm<FormDraft, AssistantDraft>({ draft, schema: AssistantDraft, read: readDraft, save })
}

export type AssistantForm = ReturnType<typeof useAssistantForm>

interface AssistantFieldsProps {
  form: AssistantForm
  /** The saved model, which may not be offered any more. */
  saved?: Pick<Assistant, 'modelId' | 'Model'> | undefined
  files: ReactNode
}

export function AssistantFields({ form, saved, files }: AssistantFieldsProps) {
  const { data: models = [] } = useQuery(modelsQuery)
  const { country } = form.draft
  const all = assistantModels(models)
  const offered = all.filter((other) => country === '' || other.country === country)
  const model = offered.find(({ id }) => id === form.draft.modelId) ?? null
  return (
    <>
      <FormSection title="Карточка">
        <div className="flex items-start gap-4">
          <AvatarField value={form.draft.avatar} onChange={(avatar) => form.set({ avatar })} />
          <div className="min-w-0 flex-1">
            <TextField
              {...form.text('name')}
              label="Название"
              autoComplete="off"
              placeholder="Знаток договоров"
              maxLength={MAX_ASSISTANT_NAME}
            />
          </div>
        </div>
        <TextArea
          {...form.text('description')}
          label="Описание"
          placeholder="Чем он помогает, одной фразой"
          maxLength={MAX_DESCRIPTION}
          className="min-h-20!"
        />
        <SelectField
          {...form.text('modelId')}
          label="Модель"
          options={modelOptions(offered, form.draft.modelId, saved)}
          hint={model?.description || undefined}
        />
      </FormSection>
      <FormSection title="Правила ответа">
        <TextArea
          {...form.text('instructions')}
          label="Инструкции"
          placeholder="Кто он, как говорит, что делает и чего не делает. Например: отвечай коротко, сроки приводи точно, если не уверен, так и скажи."
          maxLength={MAX_INSTRUCTIONS}
          className="min-h-48"
          hint={<InstructionsCost text={form.draft.instructions} model={model} />}
        />
        <fieldset>
          <legend className="text-[15px] font-medium">Первые вопросы</legend>
          <p className="mt-0.5 mb-2.5 text-sm text-muted">Кнопки в пустом чате с ассистентом.</p>
          <StartersField value={form.draft.starters} onChange={(starters) => form.set({ starters })} />
        </fieldset>
      </FormSection>
      {files}
      <FoldedSection
        title="Дополнительно"
        summary={placeAndSearch(country, form.draft.searchWords !== '')}
        hasError={false}
      >
        <CountrySwitch
          country={country}
          isEmpty={offered.length === 0}
          onChange={(bound) => {
            const isAllowed =
              bound === '' || all.some((other) => other.id === form.draft.modelId && other.country === bound)
            form.set({ country: bound, ...(!isAllowed && { modelId: '' }) })
          }}
        />
        <SearchWordsSwitch
          model={model}
          checked={form.draft.searchWords !== ''}
          onChange={(isOn) => form.set({ searchWords: isOn ? 'on' : '' })}
        />
      </FoldedSection>
    </>
  )
}

/** What the folded fields say. */
export function placeAndSearch(country: string, isByMeaning: boolean): string {
  const place = country === '' ? 'Модели из любой страны' : `Только модели с данными ${inCountryLabel(country)}`
  return `${place}, поиск ${isByMeaning ? 'по смыслу' : 'по словам'}`
}

interface CountrySwitchProps {
  country: string
  /** No model keeps its data there. */
  isEmpty: boolean
  onChange: (country: string) => void
}

export function CountrySwitch({ country, isEmpty, onChange }: CountrySwitchProps) {
  const chosenCountry = country || homeCountry()
  const hint = `Отвечать будут только модели, чьи данные остаются ${inCountryLabel(chosenCountry)}, запасные тоже.`
  return (
    <Switch
      label={`Только модели с данными ${inCountryLabel(chosenCountry)}`}
      hint={country !== '' && isEmpty ? 'Сейчас таких моделей нет, и ответов не будет.' : hint}
      checked={country !== ''}
      onChange={(isBound) => onChange(isBound ? chosenCountry : '')}
    />
  )
}

interface SearchWordsSwitchProps {
  model: Model | null
  checked: boolean
  onChange: (isOn: boolean) => void
}

export function SearchWordsSwitch({ model, checked, onChange }: SearchWordsSwitchProps) {
  const most = upToSymbols(model ? price(SEARCH_WORDS_SYMBOLS, 0, model) : SEARCH_WORDS_SYMBOLS)
  return (
    <Switch
      label="Искать по смыслу, а не только по точным словам"
      hint={`Перед поиском по большим файлам модель чата подбирает слова, которыми об этом написано в документах. Это добавляет к вопросу ${most}; за тот же вопрос ещё раз платить не нужно.`}
      checked={checked}
      onChange={onChange}
    />
  )
}

/** A saved model that is no longer offered stays in the list, marked. */
export function modelOptions(offered: readonly Model[], chosen: string, saved: AssistantFieldsProps['saved']) {
  const usual = { value: '', label: 'Как в ваших настройках' }
  const known = offered.map(({ id, name }) => ({ value: id, label: name }))
  const isGone = chosen !== '' && chosen === saved?.modelId && !known.some(({ value }) => value === chosen)
  return [usual, ...known, ...(isGone ? [{ value: chosen, label: `${chosen} (сейчас недоступна)` }] : [])]
}

export function InstructionsCost({ text, model }: { text: string; model: Model | null }) {
  const symbols = countSymbols(text)
  if (symbols === 0) return 'Инструкции идут с каждым вопросом, поэтому их длина входит в цену.'
  const rate = model && model.inputRate !== 1 ? `, с этой моделью ${formatNumber(price(symbols, 0, model))}` : ''
  return (
    <span className="figures">
      {formatNumber(symbols)} из {formatNumber(MAX_INSTRUCTIONS)}. К каждому вопросу добавится {formatSymbols(symbols)}
      {rate}.
    </span>
  )
}

export function assistantModels<Given extends Pick<Model, 'hidden' | 'kind' | 'canUseWithAssistant'>>(
  models: readonly Given[],
): Given[] {
  return models.filter(({ hidden, kind, canUseWithAssistant }) => !hidden && kind === 'text' && canUseWithAssistant)
}
