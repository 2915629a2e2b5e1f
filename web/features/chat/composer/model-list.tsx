import { useQuery } from '@tanstack/react-query'
import { Check, Eye } from 'lucide-react'
import { Fragment, type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import type { Model } from '#contract/models.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { classNames } from '#web/lib/class-names.ts'
import { controlStyle } from '#web/ui/field.tsx'
import { Floating } from '../floating.tsx'
import { moveInList } from './list-keys.ts'
import { askableModels, formatRate, rateSentence } from './model-labels.ts'

/** With more models than this the list has a search field. */
const FEW = 8

interface ModelListProps {
  trigger: ReactNode
  chosenId: string | null
  onChoose: (model: Model) => void
}

/** Mounted open: the click that opens it also loads it. */
export function ModelList({ trigger, chosenId, onChoose }: ModelListProps) {
  const [isOpen, setOpen] = useState(true)
  function choose(model: Model) {
    setOpen(false)
    onChoose(model)
  }
  return (
    <Floating label="Выбор модели" trigger={trigger} open={isOpen} onOpenChange={setOpen}>
      <Choice chosenId={chosenId} onChoose={choose} />
    </Floating>
  )
}

function Choice({ chosenId, onChoose }: Omit<ModelListProps, 'trigger'>) {
  const { data = [] } = useQuery(modelsQuery)
  const id = useId()
  const all = askableModels(data)
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

  const keys = { onKeyDown, 'aria-controls': `${id}-list`, 'aria-activedescendant': `${id}-${models[active]?.id}` }
  return (
    <div className="flex w-[22rem] max-w-full flex-col">
      {all.length > FEW && (
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
      <div
        {...(all.length > FEW ? {} : keys)}
        id={`${id}-list`}
        role="listbox"
        aria-label="Модели"
        tabIndex={all.length > FEW ? -1 : 0}
        className="max-h-[min(24rem,60dvh)] overflow-y-auto p-1 outline-none"
      >
        {models.map((model, i) => (
          <Fragment key={model.id}>
            {model.kind === 'image' && models[i - 1]?.kind !== 'image' && <GroupName>Изображения</GroupName>}
            <Option
              id={`${id}-${model.id}`}
              model={model}
              isActive={i === active}
              isChosen={model.id === chosenId}
              onPoint={() => setActive(i)}
              onChoose={() => onChoose(model)}
            />
          </Fragment>
        ))}
      </div>
      {models.length === 0 && <p className="px-4 pb-4 text-[15px] text-muted">Таких моделей нет.</p>}
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

const contains = (text: string, query: string) => text.toLowerCase().includes(query.trim().toLowerCase())

interface OptionProps {
  id: string
  model: Model
  isActive: boolean
  isChosen: boolean
  onPoint: () => void
  onChoose: () => void
}

function Option({ id, model, isActive, isChosen, onPoint, onChoose }: OptionProps) {
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
        <span className="flex items-center gap-2">
          <span className={classNames('truncate', isChosen && 'font-medium')}>{model.name}</span>
          {model.vision && (
            <span role="img" aria-label="Видит картинки" title="Видит картинки" className="shrink-0 text-muted">
              <Eye size={16} aria-hidden="true" />
            </span>
          )}
        </span>
        {model.description && <span className="block text-sm text-muted text-pretty">{model.description}</span>}
      </span>
      <span className="flex shrink-0 flex-col items-end gap-1">
        <span className="figures text-sm text-muted" title={rateSentence(model)}>
          <span aria-hidden="true">{formatRate(model)}</span>
          <span className="sr-only">{rateSentence(model)}</span>
        </span>
        {isChosen && <Check size={17} aria-hidden="true" className="text-accent-ink" />}
      </span>
    </div>
  )
}
