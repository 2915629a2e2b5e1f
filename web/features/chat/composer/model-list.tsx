import { useQuery } from '@tanstack/react-query'
import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { countryName, inCountryLabel } from '#contract/countries.ts'
import type { Model } from '#contract/models.ts'
import { modelsQuery, usualModel } from '#web/features/models/queries.ts'
import { useProfile } from '#web/features/users/queries.ts'
import { classNames } from '#web/lib/class-names.ts'
import { homeCountry, leavesHome, placeLabel } from '#web/lib/data-place.ts'
import { controlStyle } from '#web/ui/field.tsx'
import { BookOpen, Brain, Check, CircleQuestionMark, Eye, Globe, House, Palette } from '#web/ui/icons.ts'
import { Floating } from '../floating.tsx'
import { moveInList } from './list-keys.ts'
import { askableModels, modelsIn } from './model-labels.ts'
import { compareCost, formatRate, rateSentence, type Trait, traitNames, traitsOf } from './model-traits.ts'

/** With more models than this the list has a search field. */
const FEW = 8

interface ModelListProps {
  trigger: ReactNode
  chosenId: string | null
  /** Only models whose data stays in this country; null for all. */
  country: string | null
  onChoose: (model: Model) => void
}

/** Mounted open: the click that opens it also loads it. */
export function ModelList({ trigger, chosenId, country, onChoose }: ModelListProps) {
  const [isOpen, setOpen] = useState(true)
  function choose(model: Model) {
    setOpen(false)
    onChoose(model)
  }
  return (
    <Floating label="Выбор модели" trigger={trigger} open={isOpen} onOpenChange={setOpen}>
      <Choice chosenId={chosenId} country={country} onChoose={choose} />
    </Floating>
  )
}

function Choice({ chosenId, country, onChoose }: Omit<ModelListProps, 'trigger'>) {
  const { data = [] } = useQuery(modelsQuery)
  const settingId = useProfile().data?.Settings.threadModel ?? null
  const usual = usualModel(data, settingId)
  const id = useId()
  const offered = modelsIn(askableModels(data), country)
  const [isHomeOnly, setHomeOnly] = useState(false)
  const all = isHomeOnly ? modelsIn(offered, homeCountry()) : offered
  const [query, setQuery] = useState('')
  const models = all.filter(({ name, description }) => contains(`${name} ${description}`, query))
  const [active, setActive] = useState(() =>
    Math.max(
      0,
      all.findIndex((model) => model.id === chosenId),
    ),
  )

  function onKeyDown(event: KeyboardEvent) {
    const next = moveInList(event.key, active, models.length)
    const model = models[active]
    if (next !== null) setActive(next)
    else if (event.key === 'Enter' && model) onChoose(model)
    else return
    event.preventDefault()
    if (next !== null) document.getElementById(`${id}-${models[next]?.id}`)?.scrollIntoView({ block: 'nearest' })
  }

  const hasSearch = offered.length > FEW
  const list = useRef<HTMLDivElement>(null)
  // Otherwise the popover focuses what it finds first, and the keys would not move in the list.
  useEffect(() => {
    if (!hasSearch) list.current?.focus({ preventScroll: true })
  }, [hasSearch])
  const keys = { onKeyDown, 'aria-controls': `${id}-list`, 'aria-activedescendant': `${id}-${models[active]?.id}` }
  return (
    <div className="flex max-h-(--radix-popover-content-available-height) w-[22rem] max-w-full flex-col">
      {hasSearch && (
        <div className="border-b p-2">
          <input
            {...keys}
            role="combobox"
            aria-expanded="true"
            aria-label="Найти модель"
            placeholder="Найти модель"
            // biome-ignore lint/a11y/noAutofocus: the user has just opened the list
            autoFocus
            value={query}
            onChange={(event) => {
              setQuery(event.target.value)
              setActive(0)
            }}
            className={classNames(controlStyle, 'h-9')}
          />
        </div>
      )}
      {isMixed(offered) && (
        <label className="flex min-h-10 cursor-pointer items-center gap-2 border-b px-4 text-sm text-muted pointer-coarse:min-h-11">
          <input
            type="checkbox"
            checked={isHomeOnly}
            onChange={(event) => {
              setHomeOnly(event.target.checked)
              setActive(0)
            }}
            className="size-4 accent-accent"
          />
          Только {countryName(homeCountry())}
        </label>
      )}
      <div
        {...(hasSearch ? {} : keys)}
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label="Модели"
        tabIndex={hasSearch ? -1 : 0}
        className="max-h-[min(24rem,60dvh)] min-h-0 overflow-y-auto p-1 outline-none"
      >
        {models.map((model, i) => (
          <Fragment key={model.id}>
            {model.kind === 'image' && models[i - 1]?.kind !== 'image' && <GroupName>Изображения</GroupName>}
            <Option
              id={`${id}-${model.id}`}
              model={model}
              usual={usual}
              isActive={i === active}
              isChosen={model.id === chosenId}
              onPoint={() => setActive(i)}
              onChoose={() => onChoose(model)}
            />
          </Fragment>
        ))}
      </div>
      {models.length === 0 && (
        <p className="px-4 pb-4 text-[15px] text-muted">
          {country === null || offered.length > 0 ? 'Таких моделей нет.' : noModelsIn(country)}
        </p>
      )}
    </div>
  )
}

function GroupName({ children }: { children: string }) {
  return (
    <p role="presentation" className="px-3 pt-3 pb-1 text-sm font-medium text-muted not-first:mt-1 not-first:border-t">
      {children}
    </p>
  )
}

/** Whether the data of some models stays in the country, and that of others does not. */
const isMixed = (models: readonly Model[]) => new Set(models.map(leavesHome)).size === 2

const noModelsIn = (country: string) =>
  `Моделей, данные которых остаются ${inCountryLabel(country)}, сейчас нет. Снять ограничение можно в настройках ассистента.`

const contains = (text: string, query: string) => text.toLowerCase().includes(query.trim().toLowerCase())

interface OptionProps {
  id: string
  model: Model
  usual: Model | null
  isActive: boolean
  isChosen: boolean
  onPoint: () => void
  onChoose: () => void
}

function Option({ id, model, usual, isActive, isChosen, onPoint, onChoose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      onPointerMove={onPoint}
      onClick={onChoose}
      className={classNames('flex cursor-pointer gap-3 rounded-sm px-3 py-2 select-none', isActive && 'bg-hover')}
    >
      <span className="min-w-0 flex-1">
        <span className={classNames('block truncate', isChosen && 'font-medium')}>{model.name}</span>
        {model.description && <span className="block text-sm text-muted text-pretty">{model.description}</span>}
        <Traits model={model} />
      </span>
      <span className="flex max-w-28 shrink-0 flex-col items-end gap-1 text-right">
        <span className="figures text-sm text-muted" title={rateSentence(model)}>
          <span aria-hidden="true">{costNote(model, usual)}</span>
          <span className="sr-only">{rateSentence(model)}</span>
        </span>
        {isChosen && <Check size={17} className="text-accent-ink" />}
      </span>
    </div>
  )
}

/** «вдвое дороже обычной»: words, and the rates themselves only where there is nothing to compare with. */
function costNote(model: Model, usual: Model | null): string {
  if (model.kind === 'image') return `${formatRate(model)} за картинку`
  if (!usual) return formatRate(model)
  const isSame = model.inputRate === usual.inputRate && model.outputRate === usual.outputRate
  return isSame ? 'обычная цена' : (compareCost(model, usual) ?? formatRate(model))
}

const traitIcons: Record<Trait, typeof Eye> = { sees: Eye, draws: Palette, thinks: Brain, long: BookOpen }

function Traits({ model }: { model: Model }) {
  const traits = traitsOf(model)
  const CountryIcon = model.country === null ? CircleQuestionMark : leavesHome(model) ? Globe : House
  return (
    <span className="mt-0.5 flex flex-wrap gap-x-3 gap-y-0.5 text-[13px] text-muted">
      {traits.map((trait) => {
        const Icon = traitIcons[trait]
        return (
          <span key={trait} className="inline-flex items-center gap-1">
            <Icon size={14} className="shrink-0" />
            {traitNames[trait]}
          </span>
        )
      })}
      <span className="inline-flex items-center gap-1">
        <CountryIcon size={14} className="shrink-0" />
        {placeLabel(model.country)}
      </span>
    </span>
  )
}
