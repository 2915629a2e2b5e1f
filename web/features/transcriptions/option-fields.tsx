import type { Model } from '#contract/models.ts'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { languageOptions } from './labels.ts'
import type { OptionsState } from './use-options.ts'

interface TranscriptionOptionFieldsProps {
  models: readonly Model[]
  options: OptionsState
}

/** In which language and by which model. One model is no choice. */
export function TranscriptionOptionFields({ models, options }: TranscriptionOptionFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label="Язык записи"
        options={languageOptions}
        value={options.language}
        onChange={(event) => options.setLanguage(event.target.value)}
      />
      {models.length > 1 && (
        <SelectField
          label="Модель"
          options={models.map(({ id, name }) => ({ value: id, label: name }))}
          value={options.model?.id ?? ''}
          onChange={(event) => options.setModel(event.target.value)}
        />
      )}
    </div>
  )
}
