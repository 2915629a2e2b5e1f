import { FieldRow, FormSection } from '#web/ui/form/form-section.tsx'
import { SymbolsField, UnitField } from '#web/ui/form/unit-field.tsx'
import type { useForm } from '#web/ui/form/use-form.ts'
import { Segmented } from '#web/ui/segmented.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import type { TermFields } from './promo-draft.ts'

const gifts = [
  { value: 'symbols', label: 'Добавляет символы' },
  { value: 'discount', label: 'Даёт скидку' },
] as const

const audiences = [
  { value: 'one', label: 'Один человек' },
  { value: 'some', label: 'Несколько' },
  { value: 'all', label: 'Все' },
] as const

interface TermFieldsProps {
  form: Pick<ReturnType<typeof useForm<TermFields, unknown>>, 'draft' | 'set' | 'text' | 'flag' | 'fieldErrors'>
  /** With many codes the limit applies to each of them. */
  isBatch?: boolean
}

export function PromoTermFields({ form, isBatch = false }: TermFieldsProps) {
  const isDiscount = form.draft.gives === 'discount'
  return (
    <>
      <FormSection title="Название">
        <TextField
          label="Название для вас"
          placeholder="Телеграм, ноябрь"
          hint="По нему код легко найти в списке: сам код потом не показывается."
          autoComplete="off"
          maxLength={80}
          {...form.text('name')}
        />
      </FormSection>
      <FormSection title="Выгода">
        <Segmented
          label="Что даёт код"
          value={isDiscount ? 'discount' : 'symbols'}
          options={gifts}
          onChange={(gives) => form.set({ gives })}
        />
        {isDiscount ? (
          <UnitField
            label="Скидка"
            unit="%"
            inputMode="numeric"
            hint="На первый платёж за тариф. Код вводят при оформлении подписки."
            {...form.text('discountPercent')}
          />
        ) : (
          <SymbolsField
            label="Сколько символов"
            placeholder="20 000"
            hint="Придут сразу, как только код введут в профиле. Не сгорают."
            {...form.text('symbols')}
          />
        )}
      </FormSection>
      <FormSection title="Условия применения">
        <Audience form={form} isBatch={isBatch} />
        <FieldRow>
          <TextField label="Действует с" type="datetime-local" hint="Пустое поле: сразу." {...form.text('startsAt')} />
          <TextField
            label="Действует до"
            type="datetime-local"
            hint="По вашему времени. Пустое поле: всегда."
            {...form.text('expiresAt')}
          />
        </FieldRow>
        <Switch
          label="Только для первой покупки"
          hint="Кто уже платил, получит отказ."
          {...form.flag('firstPurchaseOnly')}
        />
        <Switch label="Включён" hint="Выключенный код отвечает так, будто его нет." {...form.flag('active')} />
      </FormSection>
    </>
  )
}

function Audience({ form, isBatch }: Required<TermFieldsProps>) {
  const { who } = form.draft
  const label = isBatch ? 'Кто применит каждый код' : 'Кто применит код'
  return (
    <div className="flex flex-col gap-2">
      <p aria-hidden="true" className="text-sm font-medium">
        {label}
      </p>
      <Segmented<TermFields['who']>
        label={label}
        value={who}
        options={audiences}
        onChange={(next) => form.set({ who: next })}
      />
      {who === '' && form.fieldErrors.maxUses && (
        <p role="alert" className="text-sm text-danger">
          Выберите, кто сможет применить код
        </p>
      )}
      {who === 'some' && (
        <UnitField label="Сколько человек" unit="человек" inputMode="numeric" {...form.text('maxUses')} />
      )}
      <p className="text-sm text-muted">Каждый человек применяет код один раз.</p>
    </div>
  )
}
