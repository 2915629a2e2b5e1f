import type { Model, Thinking } from '#contract/models.ts'
import { classNames } from '#web/lib/class-names.ts'
import { formatNumber } from '#web/lib/format.ts'
import { lazy, useOnDemand } from '#web/lib/lazy.tsx'
import { Lightbulb } from '#web/ui/icons.ts'
import { thoughtPrice } from './estimate.ts'
import { pickerStyle } from './picker-style.ts'
import { depthNames } from './thinking-choice.ts'

const thinkingMenu = lazy(async () => (await import('./thinking-menu.tsx')).ThinkingMenu)

interface ThinkingPickerProps {
  model: Model
  chosen: Thinking
  onChoose: (thinking: Thinking) => void
}

export function ThinkingPicker({ model, chosen, onChoose }: ThinkingPickerProps) {
  const [ThinkingMenu, , opener] = useOnDemand(thinkingMenu)
  const most = thoughtPrice(model, chosen)?.high ?? null
  const trigger = (
    <button
      type="button"
      aria-haspopup="menu"
      title="Сколько модель думает перед ответом"
      {...opener}
      className={classNames(
        pickerStyle,
        'shrink-0 max-sm:hidden',
        chosen === 'usual' ? 'text-muted hover:text-ink' : 'text-accent-ink',
      )}
    >
      <Lightbulb size={17} className="shrink-0" />
      <span className="figures truncate">
        <span className="sr-only">Сколько думать:</span> {depthNames[chosen]}
        {most !== null && ` · до ${formatNumber(most)}`}
      </span>
    </button>
  )
  return ThinkingMenu ? <ThinkingMenu trigger={trigger} model={model} chosen={chosen} onChoose={onChoose} /> : trigger
}
