import type { ComponentProps } from 'react'
import { CurrencyField } from '#web/ui/form/currency-field.tsx'
import { FieldRow, FormSection } from '#web/ui/form/form-section.tsx'
import { UnitField } from '#web/ui/form/unit-field.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { PricePreviewNote } from './price-preview-note.tsx'
import type { ModelFormState } from './use-model-form.ts'

/** Prices for users and costs for the site's owner, by kind of model. */
export function PriceFields({ form }: { form: ModelFormState }) {
  const { draft, body } = form
  const tokens = `${draft.costCurrency} за 1 млн токенов`
  return (
    <FormSection title="Цена и себестоимость" description={descriptions[draft.kind] ?? descriptions.text}>
      <FieldRow>
        {draft.kind === 'image' && (
          <UnitPriceFields
            form={form}
            price={{ label: 'Цена картинки', placeholder: '5 000', ...form.text('imagePrice') }}
            cost={{ label: 'Себестоимость картинок', unit: `${draft.costCurrency} за 1000 картинок` }}
          />
        )}
        {draft.kind === 'transcription' && (
          <UnitPriceFields
            form={form}
            price={{ label: 'Цена минуты записи', placeholder: '400', ...form.text('minutePrice') }}
            cost={{ label: 'Себестоимость минут', unit: `${draft.costCurrency} за 1000 минут` }}
          />
        )}
        {(draft.kind === 'text' || draft.kind === 'embedding') && (
          <UnitField label={rateLabel(draft.kind)} unit="×" {...form.text('inputRate')} />
        )}
        {draft.kind === 'text' && <UnitField label="Коэффициент ответа" unit="×" {...form.text('outputRate')} />}
        {draft.kind === 'text' && (
          <>
            <UnitField
              label="Коэффициент размышлений"
              unit="×"
              hint="0: входят в цену ответа."
              {...form.text('thoughtRate')}
            />
            <UnitField
              label="Коэффициент ввода из кэша"
              unit="×"
              hint="Пустое поле: как у вопроса."
              {...form.text('cachedRate')}
            />
          </>
        )}
        {(draft.kind === 'text' || draft.kind === 'embedding') && (
          <UnitField
            label={draft.kind === 'text' ? 'Себестоимость вопроса' : 'Себестоимость'}
            unit={tokens}
            hint="Пустое поле: неизвестна."
            {...form.text('costInput')}
          />
        )}
        {draft.kind === 'text' && (
          <>
            <UnitField
              label="Себестоимость ответа"
              unit={tokens}
              hint="Размышления провайдер считает так же. Цены есть на его сайте."
              {...form.text('costOutput')}
            />
            <UnitField
              label="Себестоимость ввода из кэша"
              unit={tokens}
              hint="Пустое поле: как у вопроса."
              {...form.text('costCached')}
            />
          </>
        )}
        <CurrencyField label="Валюта себестоимости" {...form.text('costCurrency')} />
      </FieldRow>
      {draft.kind === 'text' && (
        <Switch
          label="Можно выбрать, сколько думать"
          hint="Рядом с моделью появится выбор: «Обычно», «Подумать», «Подумать дольше»."
          {...form.flag('thinks')}
        />
      )}
      {body && <PricePreviewNote model={body} />}
    </FormSection>
  )
}

const descriptions: Record<string, string> = {
  text: 'Коэффициент умножает символы: при ×2 ответ в 1000 символов спишет 2000. Себестоимость пользователи не видят.',
  image: 'За каждую картинку списывается одна и та же цена. Себестоимость пользователи не видят.',
  transcription: 'Списывается по длине записи. Себестоимость пользователи не видят.',
  embedding: 'Коэффициент умножает символы файла, когда его готовят к поиску. Себестоимость пользователи не видят.',
}

const rateLabel = (kind: string) => (kind === 'text' ? 'Коэффициент вопроса' : 'Коэффициент')

interface UnitPriceFieldsProps {
  form: ModelFormState
  price: Omit<ComponentProps<typeof UnitField>, 'unit'>
  cost: { label: string; unit: string }
}

/** Price and cost per image or per minute. */
function UnitPriceFields({ form, price, cost }: UnitPriceFieldsProps) {
  return (
    <>
      <UnitField unit="символов" {...price} />
      <UnitField {...cost} hint="Пустое поле: неизвестна." {...form.text('costOutput')} />
    </>
  )
}
