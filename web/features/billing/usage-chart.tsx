import { type PointerEvent, useState } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { formatDay, formatSymbols } from '#web/lib/format.ts'
import { type DayUse, nextDay } from './usage-days.ts'

const HEIGHT = 120
const STEP = 10

/** Bars, a day each. Pointing at one or going over them with the arrow keys says which day it is. */
export function UsageChart({ days }: { days: DayUse[] }) {
  const [at, setAt] = useState<number | null>(null)
  const chosen = at === null ? null : days[at]
  const most = Math.max(...days.map(({ symbols }) => symbols), 1)
  const total = days.reduce((sum, { symbols }) => sum + symbols, 0)
  const last = days.length - 1

  function point({ clientX, currentTarget }: PointerEvent) {
    const { left, width } = currentTarget.getBoundingClientRect()
    setAt(Math.min(Math.max(Math.floor(((clientX - left) / width) * days.length), 0), last))
  }

  return (
    <figure>
      <figcaption className="figures" aria-hidden="true">
        {chosen ? sayDay(chosen) : `Всего ${formatSymbols(total)}`}
      </figcaption>
      <div
        role="slider"
        tabIndex={0}
        aria-label={`Расход по дням, всего ${formatSymbols(total)}`}
        aria-valuemin={1}
        aria-valuemax={days.length}
        aria-valuenow={(at ?? last) + 1}
        aria-valuetext={sayDay(chosen ?? days[last])}
        onFocus={() => setAt((now) => now ?? last)}
        onBlur={() => setAt(null)}
        onKeyDown={(event) => {
          const next = nextDay(event.key, at ?? last, days.length)
          if (next === at) return
          event.preventDefault()
          setAt(next)
        }}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setAt(null)}
        className="mt-3 touch-pan-y rounded-xs"
      >
        <svg
          viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
          className="h-32 w-full border-b"
        >
          {days.map(({ day, symbols }, i) => {
            const height = symbols === 0 ? 0 : Math.max((symbols / most) * HEIGHT, 2)
            return (
              <rect
                key={day}
                x={i * STEP + 1.5}
                y={HEIGHT - height}
                width={STEP - 3}
                height={height}
                className={classNames('transition-colors', i === at ? 'fill-ink' : 'fill-accent-ink')}
              />
            )
          })}
        </svg>
      </div>
      <div aria-hidden="true" className="figures mt-1 flex justify-between text-sm text-muted">
        <span>{formatDay(days[0]?.day ?? '')}</span>
        <span>сегодня</span>
      </div>
    </figure>
  )
}

function sayDay(use: DayUse | undefined): string {
  return use ? `${formatDay(use.day)}: ${formatSymbols(use.symbols)}` : ''
}
