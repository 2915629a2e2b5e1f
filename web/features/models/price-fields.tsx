import { CurrencyField } from '#web/ui/form/currency-field.tsx'
import { FieldRow, FormSection } from '#web/ui/form/form-section.tsx'
import { UnitField } from '#web/ui/form/unit-field.tsx'
import { PricePreviewNote } from './price-preview-note.tsx'
import type { ModelFormState } from './use-model-form.ts'

/** What a model takes from a balance, and what it costs the owner. */
export function PriceFields({ form }: { form: ModelFormState }) {
  const { draft, body } = form
  return (
    <FormSection
      title="Цена и себестоимость"
      about="Тариф умножает символы: при ×2 ответ в 1000 символов спишет 2000. Себестоимость пользователи не видят."
    >
      {draft.kind === 'image' && (
        <UnitField label="Цена картинки" unit="символов" placeholder="5 000" {...form.text('imagePrice')} />
      )}
      {draft.kind === 'transcription' && (
        <UnitField label="Цена минуты записи" unit="символов" placeholder="400" {...form.text('minutePrice')} />
      )}
      <FieldRow>
        <UnitField label="Тариф вопроса" unit="×" {...form.text('inputRate')} />
        <UnitField label="Тариф ответа" unit="×" {...form.text('outputRate')} />
        <UnitField
          label="Себестоимость вопроса"
          unit={`${draft.costCurrency} за 1 млн токенов`}
          hint="Пустое поле: неизвестна."
          {...form.text('costInput')}
        />
        <UnitField
          label="Себестоимость ответа"
          unit={`${draft.costCurrency} за 1 млн токенов`}
          hint="Цены есть на сайте поставщика."
          {...form.text('costOutput')}
        />
        <CurrencyField label="Валюта себестоимости" {...form.text('costCurrency')} />
      </FieldRow>
      {body && <PricePreviewNote model={body} />}
    </FormSection>
  )
}
