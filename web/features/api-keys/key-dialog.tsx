import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type ApiKey, type ApiKeyDraft, MAX_KEY_NAME } from '#contract/api-keys.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { readOptionalNumber, writeNumber } from '#web/lib/number-input.ts'
import { AddressField } from '#web/ui/address-field.tsx'
import { Button } from '#web/ui/button.tsx'
import { Callout, ErrorNote } from '#web/ui/callout.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { UnitField } from '#web/ui/form/unit-field.tsx'
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
  const call = edited ? update : create

  function save(draft: ApiKeyDraft) {
    if (edited) return update.mutate(draft, { onSuccess: onClose })
    create.mutate(draft, {
      onSuccess: (answer) => {
        setMade(answer)
        onMade(answer)
      },
    })
  }

  if (made) return <ShownOnce secret={made.secret} onClose={onClose} />
  return (
    <Dialog open onClose={onClose} title={edited ? `Ключ «${edited.name}»` : 'Новый ключ API'}>
      <KeyForm edited={edited} isBusy={call.isPending} error={call.errors.form} onSave={save} onClose={onClose} />
    </Dialog>
  )
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
  isBusy: boolean
  error: string | undefined
  onSave: (draft: ApiKeyDraft) => void
  onClose: () => void
}

type TextName = 'name' | 'until' | 'capDay' | 'capMonth' | 'addresses'

function KeyForm({ edited, isBusy, error, onSave, onClose }: KeyFormProps) {
  const [texts, setTexts] = useState<Record<TextName, string>>({
    name: edited?.name ?? '',
    until: edited?.expiresAt ? dayIn(edited.expiresAt) : '',
    capDay: writeNumber(edited?.capDay ?? null),
    capMonth: writeNumber(edited?.capMonth ?? null),
    addresses: edited?.addresses.join('\n') ?? '',
  })
  const [models, setModels] = useState<string[] | null>(edited?.models ?? null)
  const [maskPersonal, setMaskPersonal] = useState(edited?.maskPersonal ?? false)
  const [wrong, setWrong] = useState<Partial<Record<TextName | 'models', string>>>({})
  const text = (name: TextName) => ({
    value: texts[name],
    error: wrong[name] ?? null,
    onChange: (event: { target: { value: string } }) => setTexts({ ...texts, [name]: event.target.value }),
  })

  function submit() {
    const [capDay, capMonth] = [readOptionalNumber(texts.capDay), readOptionalNumber(texts.capMonth)]
    const found = {
      ...(texts.name.trim() === '' && { name: 'Назовите ключ, например «n8n на сервере»' }),
      ...(!isCap(capDay) && { capDay: 'Нужно целое число больше нуля' }),
      ...(!isCap(capMonth) && { capMonth: 'Нужно целое число больше нуля' }),
      ...(models?.length === 0 && { models: 'Выберите хотя бы одну модель' }),
    }
    setWrong(found)
    if (Object.keys(found).length > 0) return
    const addresses = texts.addresses.split(/[\s,;]+/).filter(Boolean)
    const expiresAt = texts.until ? endOfDay(texts.until) : null
    onSave({ name: texts.name.trim(), models, capDay, capMonth, addresses, maskPersonal, expiresAt })
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextField
        label="Название"
        placeholder="n8n на сервере"
        maxLength={MAX_KEY_NAME}
        autoComplete="off"
        {...text('name')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <UnitField
          label="Предел за день"
          unit="символов"
          inputMode="numeric"
          placeholder="без предела"
          {...text('capDay')}
        />
        <UnitField
          label="Предел за месяц"
          unit="символов"
          inputMode="numeric"
          placeholder="без предела"
          {...text('capMonth')}
        />
      </div>
      <TextField label="Действует по" type="date" hint="Пусто — без срока" {...text('until')} />
      <ModelChoice chosen={models} error={wrong.models ?? null} onChange={setModels} />
      <TextArea
        label="С каких адресов"
        className="min-h-20 font-mono text-sm"
        placeholder={'203.0.113.7\n2001:db8::/32'}
        spellCheck={false}
        hint="Адреса и сети IPv4 и IPv6, по одному в строке. Пусто — с любых."
        {...text('addresses')}
      />
      <Switch
        label="Скрывать личные данные"
        hint="Имена, телефоны, почта, номера карт и документов заменяются до отправки модели."
        checked={maskPersonal}
        onChange={setMaskPersonal}
      />
      <ErrorNote text={error} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="ghost" onClick={onClose}>
          Отмена
        </Button>
        <Button type="submit" variant="primary" busy={isBusy}>
          {edited ? 'Сохранить' : 'Создать ключ'}
        </Button>
      </div>
    </form>
  )
}

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
      <ErrorNote text={error ?? undefined} />
    </div>
  )
}

const isCap = (cap: number | null) => cap === null || (Number.isInteger(cap) && cap > 0)

/** Days are those of the person's own time. */
const endOfDay = (day: string) => new Date(`${day}T23:59:59`).toISOString()

function dayIn(moment: string): string {
  const date = new Date(moment)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
