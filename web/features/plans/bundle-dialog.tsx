import { BundleDraft, type TokenBundle } from '#contract/plans.ts'
import { message } from '#web/lib/notify.ts'
import { readMoney, readNumber, writeMoney, writeNumber } from '#web/lib/number-input.ts'
import { CurrencyField } from '#web/ui/form/currency-field.tsx'
import { changedOnly } from '#web/ui/form/field-errors.ts'
import { FormDialog } from '#web/ui/form/form-dialog.tsx'
import { FieldRow } from '#web/ui/form/form-section.tsx'
import { SymbolsField, UnitField } from '#web/ui/form/unit-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { Switch } from '#web/ui/switch.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useSaveBundle } from './queries.ts'

interface BundleDialogProps {
  /** Null for a new bundle. */
  bundle: TokenBundle | null
  position: number
  currency: string
  onClose: () => void
}

export function BundleDialog({ bundle, position, currency, onClose }: BundleDialogProps) {
  const save = useSaveBundle()
  const form = useForm({
    draft: bundle ? bundleFields(bundle) : { ...newBundle, currency },
    schema: BundleDraft,
    read: readBundle,
    save: async ({ position: _, ...body }) => {
      if (bundle) await save.mutateAsync({ id: bundle.id, body: changedOnly(bundle, body) })
      else await save.mutateAsync({ id: null, body: { ...body, position } })
      message.success(bundle ? 'Пакет сохранён' : 'Пакет добавлен')
      onClose()
    },
  })
  return (
    <FormDialog
      title={bundle ? `Пакет «${bundle.name}»` : 'Новый пакет'}
      form={form}
      save={bundle ? 'Сохранить' : 'Добавить пакет'}
      onClose={onClose}
    >
      <TextField label="Название" required maxLength={100} {...form.text('name')} />
      <SymbolsField label="Сколько символов" placeholder="100 000" {...form.text('symbols')} />
      <FieldRow>
        <UnitField label="Цена" unit={form.draft.currency} placeholder="3,50" {...form.text('price')} />
        <CurrencyField {...form.text('currency')} />
      </FieldRow>
      <Switch
        label="Пакет в продаже"
        hint="Купленные символы не сгорают, даже если пакет потом снять с продажи."
        {...form.flag('active')}
      />
    </FormDialog>
  )
}

type BundleFields = ReturnType<typeof bundleFields>

export const newBundle: BundleFields = { name: '', symbols: '', price: '', currency: 'BYN', active: true }

export function bundleFields({ name, symbols, price, currency, active }: TokenBundle) {
  return { name, symbols: writeNumber(symbols), price: writeMoney(price, currency), currency, active }
}

export function readBundle({ symbols, price, ...rest }: BundleFields) {
  return { ...rest, symbols: readNumber(symbols), price: readMoney(price, rest.currency) }
}
