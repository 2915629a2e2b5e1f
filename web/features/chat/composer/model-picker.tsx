import { ChevronDown, TriangleAlert } from 'lucide-react'
import type { Model } from '#contract/models.ts'
import { classNames } from '#web/lib/class-names.ts'
import { usePart } from '#web/lib/use-part.ts'
import type { ChosenModel } from './model-labels.ts'

const load = async () => (await import('./model-list.tsx')).ModelList
const preload = () => void load().catch(() => undefined)

interface ModelPickerProps {
  chosen: ChosenModel
  onChoose: (model: Model) => void
}

/** A plain button until it is asked for, then the list itself. */
export function ModelPicker({ chosen: { model, name }, onChoose }: ModelPickerProps) {
  const [ModelList, ask] = usePart(load)
  const trigger = (
    <button
      type="button"
      aria-haspopup="listbox"
      aria-label={model ? `Модель: ${name}` : `Модель ${name} недоступна, выберите другую`}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={ModelList ? undefined : ask}
      className={classNames(
        'flex h-9 min-w-0 items-center gap-1.5 rounded-sm px-2.5 text-sm transition-colors hover:bg-hover data-[state=open]:bg-hover',
        model ? 'text-muted hover:text-ink' : 'text-warning',
      )}
    >
      {!model && <TriangleAlert size={16} aria-hidden="true" className="shrink-0" />}
      <span className="truncate">{name}</span>
      <ChevronDown size={16} aria-hidden="true" className="shrink-0" />
    </button>
  )
  return ModelList ? <ModelList trigger={trigger} chosenId={model?.id ?? null} onChoose={onChoose} /> : trigger
}
