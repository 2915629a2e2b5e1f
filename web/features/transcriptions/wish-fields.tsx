import type { Model } from '#contract/models.ts'
import { SelectField } from '#web/ui/form/select-field.tsx'
import type { Wish } from './use-wish.ts'
import { languageOptions } from './words.ts'

interface WishFieldsProps {
  models: readonly Model[]
  wish: Wish
}

/** In which language and by which model. One model is no choice. */
export function WishFields({ models, wish }: WishFieldsProps) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label="Язык записи"
        options={languageOptions}
        value={wish.language}
        onChange={(event) => wish.setLanguage(event.target.value)}
      />
      {models.length > 1 && (
        <SelectField
          label="Модель"
          options={models.map(({ id, name }) => ({ value: id, label: name }))}
          value={wish.model?.id ?? ''}
          onChange={(event) => wish.setModel(event.target.value)}
        />
      )}
    </div>
  )
}
