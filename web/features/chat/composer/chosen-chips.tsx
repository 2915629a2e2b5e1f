import type { ReactNode } from 'react'
import { formatNumber } from '#web/lib/format.ts'
import { Clock, Globe, Lightbulb, Pin, X } from '#web/ui/icons.ts'
import type { ToolsProps } from './add-menu.tsx'
import { thoughtPrice } from './estimate.ts'
import { depthNames } from './thinking-choice.ts'
import { searchOff } from './web-choice.ts'

/** What was chosen behind «+» on a phone; a press removes it. Wider windows show it on the buttons. */
export function ChosenChips({ model, thinking, search, temporary, onChooseThinking }: ToolsProps) {
  const thought = model?.thinks && thinking !== 'usual' ? thoughtPrice(model, thinking) : null
  const wanted = search?.choice.search
  if (!wanted && (!model?.thinks || thinking === 'usual') && !temporary?.isOn) return null
  return (
    <ul aria-label="Выбрано для вопроса" className="flex flex-wrap gap-x-1.5 px-2 pt-1 sm:hidden">
      {search && wanted && (
        <Chip
          icon={search.choice.isPinned ? <Pin size={15} /> : <Globe size={15} />}
          name={wanted === 'detailed' ? 'Подробный поиск' : 'Поиск'}
          price={search.priceOf(wanted)}
          onRemove={() => search.onChange(searchOff)}
        />
      )}
      {model?.thinks && thinking !== 'usual' && (
        <Chip
          icon={<Lightbulb size={15} />}
          name={depthNames[thinking]}
          price={thought?.high ?? null}
          onRemove={() => onChooseThinking('usual')}
        />
      )}
      {temporary?.isOn && (
        <Chip icon={<Clock size={15} />} name="Временный чат" price={null} onRemove={() => temporary.onChange(false)} />
      )}
    </ul>
  )
}

interface ChipProps {
  icon: ReactNode
  name: string
  price: number | null
  onRemove: () => void
}

function Chip({ icon, name, price, onRemove }: ChipProps) {
  const label = price === null ? name : `${name} · до ${formatNumber(price)}`
  return (
    <li className="min-w-0">
      <button
        type="button"
        aria-label={`Убрать: ${label}`}
        onClick={onRemove}
        // Taller than it looks, so that a finger hits it.
        className="group/chip flex h-11 max-w-full items-center"
      >
        <span className="figures flex h-8 min-w-0 items-center gap-1.5 rounded-full bg-accent-soft px-3 text-sm text-accent-ink group-active/chip:opacity-70">
          <span className="shrink-0">{icon}</span>
          <span className="truncate">{label}</span>
          <X size={15} className="shrink-0" />
        </span>
      </button>
    </li>
  )
}
