import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiKey, ApiKeyDraft, MAX_KEY_NAME } from '#contract/api-keys.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { readOptionalNumber, writeNumber } from '#web/lib/number-input.ts'
import { AddressField } from '#web/ui/address-field.tsx'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { FormDialog } from '#web/ui/form/form-dialog.tsx'
import { FoldedSection } from '#web/ui/form/form-section.tsx'
import { SymbolsField } from '#web/ui/form/unit-field.tsx'
import { useForm } from '#web/ui/form/use-form.ts'
import { Switch } from '#web/ui/switch.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useCreateKey, useUpdateKey } from './queries.ts'

export interface MadeKey {
  key: ApiKey
  secret: string
}

interface KeyDialogProps {
  /** Null for a new key. */
  edited: ApiKey | null
  onMade: (made: MadeKey) => void
  onClose: () => void
}

export function KeyDialog({ edited, onMade, onClose }: KeyDialogProps) {
  const [made, setMade] = useState<MadeKey | null>(null)
  const create = useCreateKey()
  const update = useUpdateKey(edited?.id ?? '')

  async function save(draft: ApiKeyDraft) {
    if (edited) {
      await update.mutateAsync(draft)
      return onClose()
    }
    const answer = await create.mutateAsync(draft)
    setMade(answer)
    onMade(answer)
  }

  if (made) return <ShownOnce secret={made.secret} onClose={onClose} />
  return <KeyForm edited={edited} onSave={save} onClose={onClose} />
}

/** The server has only a hash: the key cannot be shown again. */
function ShownOnce({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Ключ готов">
      <div className="flex flex-col gap-4">
        <Callout tone="warning" title="Скопируйте ключ сейчас">
          Больше мы его не покажем. Храните его как пароль: кто знает ключ, тратит ваши символы.
        </Callout>
        <AddressField label="Ключ API" address={secret} hint="Базовый адрес для программ стоит ниже на этой странице" />
        <Button className="self-end" onClick={onClose}>
          Готово
        </Button>
      </div>
    </Dialog>
  )
}

interface KeyFormProps {
  edited: ApiKey | null
  onSave: (draft: ApiKeyDraft) => Promise<void>
  onClose: () => void
}

function KeyForm({ edited, onSave, onClose }: KeyFormProps) {
  const form = useForm({
    draft: edited ? keyFields(edited) : noFields,
    schema: ApiKeyDraft,
    read: readKey,
    save: onSave,
  })
  const { draft, fieldErrors } = form
  return (
    <FormDialog
      title={edited ? `Ключ «${edited.name}»` : 'Новый ключ API'}
      form={form}
      save={edited ? 'Сохранить' : 'Создать ключ'}
      onClose={onClose}
    >
      <TextField
        label="Название"
        placeholder="n8n на сервере"
        maxLength={MAX_KEY_NAME}
        autoComplete="off"
        {...form.text('name')}
      />
      <SymbolsField label="Предел за день" placeholder="без предела" {...form.text('capDay')} />
      <FoldedSection
        title="Дополнительно"
        summary={foldedSummary(draft)}
        hasError={folded.some((field) => fieldErrors[field] != null)}
      >
        <SymbolsField label="Предел за месяц" placeholder="без предела" {...form.text('capMonth')} />
        <TextField label="Действует по" type="date" hint="Пусто — без срока" {...form.text('expiresAt')} />
        <ModelChoice
          chosen={draft.models === ALL ? null : idsIn(draft.models)}
          error={fieldErrors.models ?? null}
          onChange={(chosen) => form.set({ models: chosen === null ? ALL : chosen.join('\n') })}
        />
        <TextArea
          label="С каких адресов"
          className="min-h-20 font-mono text-sm"
          placeholder={'203.0.113.7\n2001:db8::/32'}
          spellCheck={false}
          hint="Адреса и сети IPv4 и IPv6, по одному в строке. Пусто — с любых."
          {...form.text('addresses')}
        />
        <Switch
          label="Скрывать личные данные"
          hint="Имена, телефоны, почта, номера карт и документов заменяются до отправки модели."
          {...form.flag('maskPersonal')}
        />
      </FoldedSection>
    </FormDialog>
  )
}

const folded = ['capMonth', 'expiresAt', 'models', 'addresses', 'maskPersonal'] as const

/** What is limited, or that nothing is. */
function foldedSummary({ capMonth, expiresAt, models, addresses, maskPersonal }: KeyFields): string {
  const parts = [
    capMonth && 'предел за месяц',
    expiresAt && 'срок',
    models !== ALL && 'модели',
    addresses && 'адреса',
    maskPersonal && 'личные данные скрыты',
  ].filter(Boolean)
  return parts.length > 0 ? `Задано: ${parts.join(', ')}` : 'Без срока, все модели, любые адреса'
}

/** A field of a form is a text: ids by lines. */
const ALL = '*'
const idsIn = (models: string) => models.split('\n').filter(Boolean)

type KeyFields = Record<'name' | 'expiresAt' | 'capDay' | 'capMonth' | 'addresses' | 'models', string> & {
  maskPersonal: boolean
}

const noFields: KeyFields = {
  ...{ name: '', expiresAt: '', capDay: '', capMonth: '', addresses: '', models: ALL, maskPersonal: false },
}

const keyFields = ({ name, expiresAt, capDay, capMonth, addresses, models, maskPersonal }: ApiKey): KeyFields => ({
  ...{ name, maskPersonal, capDay: writeNumber(capDay), capMonth: writeNumber(capMonth) },
  expiresAt: expiresAt ? dayIn(expiresAt) : '',
  addresses: addresses.join('\n'),
  models: models?.join('\n') ?? ALL,
})

const readKey = ({ name, expiresAt, capDay, capMonth, addresses, models, maskPersonal }: KeyFields) => ({
  ...{ name, maskPersonal, capDay: readOptionalNumber(capDay), capMonth: readOptionalNumber(capMonth) },
  expiresAt: expiresAt ? endOfDay(expiresAt) : null,
  addresses: addresses.split(/[\s,;]+/).filter(Boolean),
  models: models === ALL ? null : idsIn(models),
})

interface ModelChoiceProps {
  chosen: string[] | null
  error: string | null
  onChange: (chosen: string[] | null) => void
}

function ModelChoice({ chosen, error, onChange }: ModelChoiceProps) {
  const { data: models = [] } = useQuery(modelsQuery)
  const usable = models.filter(({ hidden, kind }) => !hidden && kind !== 'scan')
  const toggle = (id: string, isOn: boolean) =>
    onChange(isOn ? [...(chosen ?? []), id] : (chosen ?? []).filter((other) => other !== id))
  return (
    <div className="flex flex-col gap-3">
      <Switch
        label="Все модели"
        hint="Выключите, чтобы выбрать только нужные."
        checked={chosen === null}
        onChange={(isAll) => onChange(isAll ? null : [])}
      />
      {chosen !== null && (
        <fieldset className="flex max-h-56 flex-col gap-2 overflow-y-auto rounded-md border p-3">
          <legend className="sr-only">Модели ключа</legend>
          {usable.map(({ id, name }) => (
            <Checkbox key={id} label={name} checked={chosen.includes(id)} onChange={(isOn) => toggle(id, isOn)} />
          ))}
        </fieldset>
      )}
      {error && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </div>
  )
}

/** Days are those of the person's own time. */
const endOfDay = (day: string) => new Date(`${day}T23:59:59`).toISOString()

function dayIn(moment: string): string {
  const date = new Date(moment)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
