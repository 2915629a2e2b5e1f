import { countryName } from '#contract/countries.ts'
import type { AdminModel } from '#contract/models.ts'
import { formatMoney, formatNumber } from '#web/lib/format.ts'
import { Badge } from '#web/ui/table/badge.tsx'
import type { Column } from '#web/ui/table/columns.ts'
import { formatRate, kindName, shutdownFact, upperFirst } from './model-labels.ts'

interface ModelFacts {
  shutdownOf: (model: AdminModel) => string | null
  hasKey: (model: AdminModel) => boolean
  nameOf: (id: string | null) => string | null
}

export function modelColumns({ shutdownOf, hasKey, nameOf }: ModelFacts): Column<AdminModel>[] {
  return [
    {
      id: 'name',
      title: 'Название',
      isSortable: true,
      cell: ({ name }) => <span className="sm:inline-block sm:min-w-36">{name}</span>,
      note: ({ id, name }) => id !== name && <span className="w-full text-[13px] text-muted">{id}</span>,
      text: ({ name }) => name,
    },
    {
      id: 'hidden',
      title: 'Состояние',
      isSortable: true,
      cell: (model) => {
        const shutdown = model.retiresOn ?? shutdownOf(model)
        const successor = nameOf(model.successorId)
        return (
          <span className="inline-flex flex-wrap gap-1.5 max-sm:justify-end">
            {model.hidden ? <Badge>Скрыта</Badge> : <Badge tone="success">Видна</Badge>}
            {!hasKey(model) && <Badge tone="danger">Нет ключа</Badge>}
            {model.retiresOn && !model.hidden && !successor && <Badge tone="danger">Без замены</Badge>}
            {shutdown && (
              <span className="w-full text-[13px] leading-snug text-warning">
                {upperFirst(shutdownFact(shutdown))}
                {successor && <span className="text-muted">, потом {successor}</span>}
              </span>
            )}
          </span>
        )
      },
      text: ({ hidden }) => (hidden ? 'скрыта' : 'видна'),
    },
    {
      id: 'kind',
      title: 'Вид',
      isSortable: true,
      isMinor: true,
      cell: ({ kind }) => <span className="whitespace-nowrap">{kindName(kind)}</span>,
      text: ({ kind }) => kindName(kind),
    },
    {
      id: 'provider',
      title: 'Провайдер',
      isSortable: true,
      cell: ({ provider, providerModel }) => (
        <span className="wrap-anywhere">
          {provider}
          <span className="block text-[13px] text-muted">{providerModel}</span>
        </span>
      ),
      text: ({ provider, providerModel }) => `${provider} ${providerModel}`,
    },
    {
      id: 'country',
      title: 'Данные',
      isMinor: true,
      cell: ({ country }) => country && countryName(country),
      text: ({ country }) => (country === null ? 'неизвестно' : countryName(country)),
    },
    {
      id: 'outputRate',
      title: 'Цена',
      isSortable: true,
      isNumeric: true,
      cell: formatPrice,
      text: formatPrice,
    },
    {
      id: 'costOutput',
      title: 'Себестоимость, 1 млн токенов',
      isSortable: true,
      isNumeric: true,
      isExtra: true,
      cell: costLabel,
      text: costLabel,
    },
    {
      id: 'contextSymbols',
      title: 'Контекст',
      isSortable: true,
      isNumeric: true,
      isExtra: true,
      cell: ({ contextSymbols }) => (contextSymbols === null ? null : formatNumber(contextSymbols)),
      text: ({ contextSymbols }) => contextSymbols,
    },
    {
      id: 'canUseWithAssistant',
      title: 'Умеет',
      isExtra: true,
      cell: (model) => skills(model).join(', ') || null,
      text: (model) => skills(model).join(', '),
    },
    {
      id: 'fallbackId',
      title: 'Запасная',
      isExtra: true,
      cell: ({ fallbackId }) => nameOf(fallbackId),
      text: ({ fallbackId }) => nameOf(fallbackId),
    },
  ]
}

function skills({ canUseWithAssistant, vision, thinks }: AdminModel): string[] {
  const known = [canUseWithAssistant && 'ассистенты', vision && 'картинки', thinks && 'размышления']
  return known.filter((skill) => skill !== false)
}

function formatPrice(model: AdminModel): string {
  if (model.kind === 'image' && model.imagePrice !== null) return `${formatNumber(model.imagePrice)} за картинку`
  if (model.kind === 'transcription' && model.minutePrice !== null)
    return `${formatNumber(model.minutePrice)} за минуту`
  if (model.kind === 'scan') return model.pagePrice ? `${formatNumber(model.pagePrice)} за страницу` : 'нет цены'
  return formatRate(model)
}

function costLabel({ costInput, costOutput, costCurrency: currency }: AdminModel): string | null {
  if (currency === null) return null
  const words = (amount: number | null) => (amount === null ? '?' : formatMoney({ amount, currency }))
  return `${words(costInput)} / ${words(costOutput)}`
}

export const modelSorts = [
  'position',
  'name',
  'hidden',
  'kind',
  'provider',
  'outputRate',
  'costOutput',
  'contextSymbols',
] as const

export function modelSortValue(model: AdminModel, id: string) {
  return id in model ? model[id as keyof Omit<AdminModel, 'imageSkills'>] : null
}
