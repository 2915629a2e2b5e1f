import { formatNumber } from '#web/lib/format.ts'
import { CurrencyField } from '#web/ui/form/currency-field.tsx'
import { FieldRow, FoldedSection } from '#web/ui/form/form-section.tsx'
import { SymbolsField, UnitField } from '#web/ui/form/unit-field.tsx'
import type { ModelFields } from './model-draft.ts'
import { extraRatesLabel } from './model-labels.ts'
import { PricePreviewNote } from './price-preview-note.tsx'
import type { ModelFormState } from './use-model-form.ts'

type FormProps = { form: ModelFormState }

/** What users pay. */
export function MainPrice({ form }: FormProps) {
  const { kind } = form.draft
  if (kind === 'image') return <SymbolsField label="Цена картинки" placeholder="5 000" {...form.text('imagePrice')} />
  if (kind === 'transcription')
    return <SymbolsField label="Цена минуты записи" placeholder="400" {...form.text('minutePrice')} />
  if (kind === 'scan')
    return (
      <SymbolsField
        label="Цена страницы"
        placeholder="1 500"
        hint="Без цены модель не читает сканы."
        {...form.text('pagePrice')}
      />
    )
  return (
    <>
      <UnitField label={rateLabel(kind)} unit="×" {...form.text('inputRate')} />
      {kind === 'text' && <UnitField label="Коэффициент ответа" unit="×" {...form.text('outputRate')} />}
    </>
  )
}

interface CostFieldsProps extends FormProps {
  hasError: (...names: (keyof ModelFields)[]) => boolean
}

/** What the owner pays, the margin, and the prices of thoughts and of cached input. */
export function CostFields({ form, hasError }: CostFieldsProps) {
  const { draft, body } = form
  const { kind, costCurrency } = draft
  const tokens = `${costCurrency} за 1 млн токенов`
  const isKnown = draft.costInput !== '' || draft.costOutput !== ''
  return (
    <>
      {kind === 'text' && (
        <FoldedSection
          title="Размышления и кэш"
          summary={extraRatesLabel(draft)}
          hasError={hasError('thoughtRate', 'cachedRate')}
        >
          <FieldRow>
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
          </FieldRow>
        </FoldedSection>
      )}
      <FoldedSection
        title="Себестоимость и маржа"
        summary={isKnown ? `Известна, ${costCurrency}` : 'Неизвестна: маржа не считается'}
        hasError={hasError('costInput', 'costOutput', 'costCached', 'costCurrency')}
        description={descriptions[kind] ?? descriptions.text}
      >
        <FieldRow>
          {(kind === 'image' || kind === 'transcription') && (
            <UnitField {...unitCost(kind, costCurrency)} hint="Пустое поле: неизвестна." {...form.text('costOutput')} />
          )}
          {(kind === 'text' || kind === 'embedding' || kind === 'scan') && (
            <UnitField
              label={kind === 'embedding' ? 'Себестоимость' : 'Себестоимость вопроса'}
              unit={tokens}
              hint="Пустое поле: неизвестна."
              {...form.text('costInput')}
            />
          )}
          {kind === 'scan' && <UnitField label="Себестоимость ответа" unit={tokens} {...form.text('costOutput')} />}
          {kind === 'text' && (
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
        {body && <PricePreviewNote model={body} />}
      </FoldedSection>
    </>
  )
}

const descriptions: Record<string, string> = {
  text: 'Коэффициент умножает символы: при ×2 ответ в 1\u202f000 символов спишет 2\u202f000. Себестоимость пользователи не видят.',
  image: 'За каждую картинку списывается одна и та же цена. Себестоимость пользователи не видят.',
  transcription: 'Списывается по длине записи. Себестоимость пользователи не видят.',
  scan: 'За каждую прочитанную страницу списывается одна и та же цена. Нужна модель, которая видит картинки. Себестоимость пользователи не видят.',
  embedding: 'Коэффициент умножает символы файла, когда его готовят к поиску. Себестоимость пользователи не видят.',
}

const rateLabel = (kind: string) => (kind === 'text' ? 'Коэффициент вопроса' : 'Коэффициент')

const unitCost = (kind: string, currency: string) =>
  kind === 'image'
    ? { label: 'Себестоимость картинок', unit: `${currency} за ${formatNumber(1000)} картинок` }
    : { label: 'Себестоимость минут', unit: `${currency} за ${formatNumber(1000)} минут` }
