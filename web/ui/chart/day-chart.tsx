import { type PointerEvent, useId, useState } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { formatDay, formatNumber } from '#web/lib/format.ts'
import { once } from '#web/lib/once.ts'
import { ChevronRight } from '#web/ui/icons.ts'

interface DayValue {
  day: string
  value: number
}

interface DayChartProps {
  title: string
  days: DayValue[]
  format?: (value: number) => string
  /** The caption while no day is selected. */
  sum: string
}

const HEIGHT = 100
const STEP = 10
const short = once(() => new Intl.NumberFormat('ru-RU', { notation: 'compact', maximumFractionDigits: 1 }))

/** A bar per day. The pointer or arrow keys select a day; a table lists all values. */
export function DayChart({ title, days, format = formatNumber, sum }: DayChartProps) {
  const [at, setAt] = useState<number | null>(null)
  const heading = useId()
  const last = days.length - 1
  const chosen = at === null ? null : (days[Math.min(at, last)] ?? null)
  const label = (each: DayValue | null | undefined) => (each ? `${formatDay(each.day)}: ${format(each.value)}` : '')

  function point({ clientX, currentTarget }: PointerEvent) {
    const { left, width } = currentTarget.getBoundingClientRect()
    setAt(Math.min(Math.max(Math.floor(((clientX - left) / width) * days.length), 0), last))
  }

  return (
    <figure className="flex min-w-0 flex-col rounded-md border bg-surface p-4 break-inside-avoid">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 id={heading} className="font-medium">
          {title}
        </h3>
        <span className={classNames('figures text-sm', chosen ? 'text-ink' : 'text-muted')} aria-hidden="true">
          {chosen ? label(chosen) : sum}
        </span>
      </figcaption>
      <div
        role="slider"
        tabIndex={0}
        aria-labelledby={heading}
        aria-valuemin={1}
        aria-valuemax={days.length}
        aria-valuenow={(at ?? last) + 1}
        aria-valuetext={label(chosen ?? days[last])}
        onFocus={() => setAt((now) => now ?? last)}
        onBlur={() => setAt(null)}
        onKeyDown={(event) => {
          const next = nextIndex(event.key, at ?? last, days.length)
          if (next === at) return
          event.preventDefault()
          setAt(next)
        }}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setAt(null)}
        className="relative mt-3 touch-pan-y rounded-xs"
      >
        <Bars days={days} at={at} />
      </div>
      <div aria-hidden="true" className="figures mt-1 flex justify-between text-[13px] text-muted">
        <span>{formatDay(days[0]?.day ?? '')}</span>
        {last > 0 && <span>{formatDay(days[last]?.day ?? '')}</span>}
      </div>
      <DayTable title={title} days={days} format={format} />
    </figure>
  )
}

function Bars({ days, at }: { days: DayValue[]; at: number | null }) {
  const top = axisMaximum(Math.max(...days.map(({ value }) => value), 0))
  return (
    <>
      <span aria-hidden="true" className="figures absolute -top-0.5 left-0 text-[12px] leading-none text-muted">
        {short().format(top)}
      </span>
      <svg
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="h-36 w-full border-b border-line-strong pt-4"
      >
        {[0, 0.5].map((share) => (
          <line
            key={share}
            x1="0"
            x2={days.length * STEP}
            y1={share * HEIGHT}
            y2={share * HEIGHT}
            vectorEffect="non-scaling-stroke"
            className="stroke-line"
          />
        ))}
        {days.map(({ day, value }, i) => {
          const height = value <= 0 ? 0 : Math.max((value / top) * HEIGHT, 1)
          return (
            <rect
              key={day}
              x={i * STEP + 1}
              y={HEIGHT - height}
              width={STEP - 2}
              height={height}
              className={i === at ? 'fill-ink' : 'fill-accent-ink'}
            />
          )
        })}
      </svg>
    </>
  )
}

function DayTable({ title, days, format }: Required<Pick<DayChartProps, 'title' | 'days' | 'format'>>) {
  return (
    <details data-screen-only="" className="group mt-2">
      <summary className="inline-flex w-fit list-none items-center gap-1 rounded-xs text-accent-ink text-sm max-frame:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight size={16} className="transition-transform group-open:rotate-90" />
        Показать числа
      </summary>
      <table aria-label={title} className="figures mt-2 w-full text-sm">
        <tbody>
          {[...days].reverse().map(({ day, value }) => (
            <tr key={day}>
              <th scope="row" className="border-b py-1 text-left font-normal text-muted">
                {formatDay(day)}
              </th>
              <td className="border-b py-1 text-right">{format(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

const AXIS_ENDS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]

/** The round number at the top of the axis. */
export function axisMaximum(max: number): number {
  if (max <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(max))
  return AXIS_ENDS.map((step) => step * power).find((end) => end >= max) ?? max
}

export function nextIndex(key: string, at: number, count: number): number {
  if (key === 'ArrowLeft') return Math.max(at - 1, 0)
  if (key === 'ArrowRight') return Math.min(at + 1, count - 1)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : at
}
