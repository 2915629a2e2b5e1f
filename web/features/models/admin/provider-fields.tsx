import { useQuery } from '@tanstack/react-query'
import type { AdminModel } from '#contract/models.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { ComboField } from '#web/ui/form/combo-field.tsx'
import { SelectField } from '#web/ui/form/select-field.tsx'
import { Radio } from '#web/ui/icons.ts'
import { costCurrencyOf, describeProvider, shortName, shutdownLabel, suggestId } from './model-labels.ts'
import { NoProviders } from './no-providers.tsx'
import { missingProgramsQuery, offerQuery, providersQuery, useCheckModel } from './queries.ts'
import type { ModelFormState } from './use-model-form.ts'

interface ProviderFieldsProps {
  form: ModelFormState
  isNew: boolean
}

export function ProviderFields({ form, isNew }: ProviderFieldsProps) {
  const { draft } = form
  const { data: providers = [] } = useQuery(providersQuery)
  const chosen = providers.find(({ name }) => name === draft.provider)
  const offer = useQuery({ ...offerQuery(draft.provider), enabled: draft.provider !== '' })
  const picked = offer.data?.find(({ id }) => id === draft.providerModel.trim())
  const options = (offer.data ?? []).map(({ id, shutdownDate }) => ({
    value: id,
    warning: shutdownDate && shutdownLabel(shutdownDate),
  }))

  /** A new model's id and name follow the provider's until they are edited. */
  function pick(providerModel: string) {
    const before = draft.providerModel
    const follows = isNew && (draft.id === '' || draft.id === suggestId(before))
    const namesake = isNew && (draft.name === '' || draft.name === shortName(before))
    form.set({
      providerModel,
      ...(follows && { id: suggestId(providerModel) }),
      ...(namesake && { name: shortName(providerModel) }),
    })
  }

  /** A new model is billed in the currency of its provider until another is chosen. */
  function chooseProvider(provider: string) {
    const currencyOf = (name: string) => costCurrencyOf(providers.find((one) => one.name === name)?.kind)
    const follows =
      isNew && draft.costInput === '' && draft.costOutput === '' && draft.costCurrency === currencyOf(draft.provider)
    form.set({ provider, ...(follows && { costCurrency: currencyOf(provider) }) })
  }

  return (
    <>
      {providers.length > 0 && providers.every(({ name }) => name === 'demo') && <NoProviders />}
      <SelectField
        label="Провайдер"
        hint={[chosen && describeProvider(chosen), 'Ключи и адреса задаются на сервере и здесь не видны.']
          .filter(Boolean)
          .join(' ')}
        options={providerOptions(
          providers.map(({ name }) => name),
          draft.provider,
        )}
        {...form.text('provider')}
        onChange={(event) => chooseProvider(event.target.value)}
      />
      <ComboField
        label="Модель у провайдера"
        hint={
          picked?.shutdownDate ? (
            <span className="text-warning">{shutdownLabel(picked.shutdownDate)}.</span>
          ) : (
            offerHint(draft.provider, offer)
          )
        }
        error={form.fieldErrors.providerModel ?? null}
        value={draft.providerModel}
        options={options}
        onChange={pick}
      />
      {offer.isError && (
        <div>
          <Button size="sm" busy={offer.isFetching} onClick={() => void offer.refetch()}>
            Запросить список ещё раз
          </Button>
        </div>
      )}
      <ModelCheck provider={draft.provider} providerModel={draft.providerModel} kind={draft.kind} />
      <MissingProgram kind={draft.kind} />
    </>
  )
}

/** What models of a kind need of the server besides a provider. */
const programs: Record<string, { name: string; title: string; text: string }> = {
  scan: {
    ...{ name: 'pdftoppm', title: 'На сервере нет программы pdftoppm' },
    text: 'Без неё читаются только страницы из одной картинки. Установите пакет poppler-utils и перезапустите сервер.',
  },
  transcription: {
    ...{ name: 'ffmpeg', title: 'На сервере нет программы ffmpeg' },
    text: 'Без неё не принимаются записи больше 25 МБ, кроме WAV, и записи телефонов AMR, AAC, CAF и 3GP. Установите ffmpeg и перезапустите сервер.',
  },
}

function MissingProgram({ kind }: { kind: string }) {
  const program = programs[kind]
  const { data: missing = [] } = useQuery({ ...missingProgramsQuery, enabled: program !== undefined })
  if (!program || !missing.includes(program.name)) return null
  return (
    <Callout tone="warning" title={program.title}>
      {program.text}
    </Callout>
  )
}

function offerHint(
  provider: string,
  offer: { isFetching: boolean; error: Error | null; data?: unknown[] | undefined },
) {
  if (provider === '') return 'Сначала выберите провайдера.'
  if (offer.isFetching && !offer.data) return 'Запрашиваем список у провайдера…'
  if (offer.error) return `Список не пришёл: ${callErrorText(offer.error)} Название можно вписать и самому.`
  return 'Начните печатать, чтобы найти в списке провайдера.'
}

function providerOptions(names: string[], current: string) {
  const known = names.map((name) => ({ value: name, label: name === 'demo' ? 'demo, встроенная' : name }))
  if (current === '') return [{ value: '', label: 'Выберите провайдера' }, ...known]
  return names.includes(current) ? known : [...known, { value: current, label: `${current}, ключа больше нет` }]
}

type ModelAddress = Pick<AdminModel, 'provider' | 'providerModel'>

/** Asks the model in the form a question, saved or not. */
function ModelCheck({ provider, providerModel, kind }: ModelAddress & { kind: string }) {
  const check = useCheckModel()
  const { data, error, isPending, variables } = check
  // The last result may be about another model.
  const isAboutThis = variables?.provider === provider && variables.providerModel === providerModel
  if (kind !== 'text')
    return (
      <p className="text-sm text-muted">Проверка задаёт вопрос словами, поэтому она есть только у текстовых моделей.</p>
    )
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Button
          icon={<Radio size={18} />}
          busy={isPending}
          disabled={provider === '' || providerModel.trim() === ''}
          onClick={() => check.mutate({ provider, providerModel: providerModel.trim() })}
        >
          Проверить
        </Button>
        <p className="text-sm text-muted">
          {isPending ? 'Спрашиваем модель, это до 30 секунд…' : 'Один короткий вопрос провайдеру. Символы не спишутся.'}
        </p>
      </div>
      <div role="status">
        {isAboutThis && data && (
          <Callout tone="success" title={`Ответила за ${formatNumber(data.ms)}\u00a0мс`}>
            {data.text.trim() ? `«${data.text.trim()}»` : 'Ответ пришёл пустым: проверьте, та ли это модель.'}
          </Callout>
        )}
        {isAboutThis && error && (
          <Callout tone="danger" title="Модель не ответила">
            {callErrorText(error)}
          </Callout>
        )}
      </div>
    </div>
  )
}
