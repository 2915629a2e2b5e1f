import { classNames } from '#web/lib/class-names.ts'
import { controlStyle } from '#web/ui/field.tsx'
import { daysOf, type PeriodName, type PeriodState, periods, todayIn } from './period.ts'

interface PeriodPickerProps {
  state: PeriodState
  onChange: (change: Partial<PeriodState>) => void
}

/** The default is not written to the address. */
const DEFAULT_PERIOD = '30'

export function PeriodPicker({ state, onChange }: PeriodPickerProps) {
  const chosen = state.period ?? DEFAULT_PERIOD
  const choose = (name: PeriodName) =>
    onChange(
      name === 'own'
        ? { period: 'own', ...daysOf(state) }
        : { period: name === DEFAULT_PERIOD ? null : name, from: '', to: '' },
    )
  return (
    <div data-screen-only="" className="flex flex-wrap items-center gap-x-4 gap-y-3">
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">Период</legend>
        {periods.map(({ value, label }) => (
          <label
            key={value}
            className="flex min-h-9 items-center rounded-full border border-line-strong bg-surface px-3.5 text-sm transition-colors hover:bg-hover has-checked:border-accent-ink has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent-ink has-focus-visible:ring-focus"
          >
            <input
              type="radio"
              name="period"
              value={value}
              checked={chosen === value}
              onChange={() => choose(value)}
              className="sr-only"
            />
            {label}
          </label>
        ))}
      </fieldset>
      {chosen === 'own' && <CustomDays state={state} onChange={onChange} />}
    </div>
  )
}

function CustomDays({ state, onChange }: PeriodPickerProps) {
  const { from, to } = daysOf(state)
  const today = todayIn(Date.now())
  const style = classNames(controlStyle, 'h-9 w-auto! text-sm')
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <label className="flex items-center gap-2">
        с
        <input
          type="date"
          value={from}
          max={to}
          onChange={({ target }) => onChange({ from: target.value })}
          className={style}
        />
      </label>
      <label className="flex items-center gap-2">
        по
        <input
          type="date"
          value={to}
          min={from}
          max={today}
          onChange={({ target }) => onChange({ to: target.value })}
          className={style}
        />
      </label>
    </div>
  )
}
