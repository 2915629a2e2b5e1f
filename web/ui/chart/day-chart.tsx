import { type PointerEvent, useId, useState } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { formatDay, formatNumber } from '#web/lib/format.ts'
import { once } from '#web/lib/once.ts'
import { ChevronRight } from '#web/ui/icons.ts'

interface DayValue {
  day: string
  value: number
}

/** What a part of each day's value comes from. */
interface DaySeries {
  name: string
  /** One for each day. */
  values: number[]
}

interface DayChartProps {
  title: string
  days: DayValue[]
  /** Stacked in the bar of each day, the first at the bottom; together they are the values of the days. */
  series?: DaySeries[]
  format?: (value: number) => string
  /** The caption while no day is selected. */
  sum: string
}

const HEIGHT = 100
const STEP = 10
const short = once(() => new Intl.NumberFormat('ru-RU', { notation: 'compact', maximumFractionDigits: 1 }))

/** A bar per day. The pointer or arrow keys select a day; a table lists all values. */
export function DayChart({ title, days, series = [], format = formatNumber, sum }: DayChartProps) {
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
        <Bars days={days} series={series} at={at} />
      </div>
      <div aria-hidden="true" className="figures mt-1 flex justify-between text-[13px] text-muted">
        <span>{formatDay(days[0]?.day ?? '')}</span>
        {last > 0 && <span>{formatDay(days[last]?.day ?? '')}</span>}
      </div>
      {series.length > 0 && <Legend series={series} at={chosen ? days.indexOf(chosen) : null} format={format} />}
      <DayTable title={title} days={days} series={series} format={format} />
    </figure>
  )
}

/** Each has a contrast of at least 3 on the surface. */
const colours = [
  'var(--accent-ink)',
  'light-dark(#b26a00, #e6b450)',
  'light-dark(#1f7a4d, #6cc592)',
  'light-dark(#2277b8, #5fb0ee)',
  'light-dark(#b03463, #f08fb2)',
  'light-dark(#6b665e, #a8a298)',
]
const colourOf = (i: number) => colours[i % colours.length]

/** The names of the series with their sums, or their values on the chosen day. */
function Legend({ series, at, format }: { series: DaySeries[]; at: number | null; format: (value: number) => string }) {
  return (
    <ul aria-hidden="true" className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
      {series.map(({ name, values }, i) => (
        <li key={name} className="flex min-w-0 items-baseline gap-2">
          <span className="size-2.5 shrink-0 rounded-xs" style={{ background: colourOf(i) }} />
          <span className="min-w-0 wrap-anywhere">{name}</span>
          <span className="figures whitespace-nowrap text-muted">
            {format(at === null ? values.reduce((all, value) => all + value, 0) : (values[at] ?? 0))}
          </span>
        </li>
      ))}
    </ul>
  )
}

interface BarsProps {
  days: DayValue[]
  series: DaySeries[]
  at: number | null
}

/** The parts of a bar from the bottom; a value above zero is at least a line high. */
function partsOf({ days, series, top, i }: Pick<BarsProps, 'days' | 'series'> & { top: number; i: number }) {
  const values = series.length > 0 ? series.map(({ values }) => values[i] ?? 0) : [days[i]?.value ?? 0]
  let y = HEIGHT
  return values.map((value) => {
    const height = value <= 0 ? 0 : Math.max((value / top) * HEIGHT, 1)
    y -= height
    return { y, height }
  })
}

function Bars({ days, series, at }: BarsProps) {
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
        {days.map(({ day }, i) =>
          partsOf({ days, series, top, i }).map(({ y, height }, part) => (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a bar have no other name
              key={`${day} ${part}`}
              x={i * STEP + 1}
              y={y}
              width={STEP - 2}
              height={height}
              className={series.length === 0 && i === at ? 'fill-ink' : undefined}
              style={series.length === 0 && i === at ? undefined : { fill: colourOf(part) }}
              opacity={series.length > 0 && at !== null && i !== at ? 0.45 : undefined}
            />
          )),
        )}
      </svg>
    </>
  )
}

function DayTable({ title, days, series, format }: Required<Omit<DayChartProps, 'sum'>>) {
  return (
    <details data-screen-only="" className="group mt-2">
      <summary className="inline-flex w-fit list-none items-center gap-1 rounded-xs text-accent-ink text-sm max-frame:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight size={16} className="transition-transform group-open:rotate-90" />
        Показать числа
      </summary>
      <div className="overflow-x-auto">
        <table aria-label={title} className="figures mt-2 w-full text-sm">
          {series.length > 0 && (
            <thead>
              <tr>
                {['День', ...series.map(({ name }) => name), 'Всего'].map((name, i) => (
                  <th
                    key={name}
                    scope="col"
                    className={classNames('border-b py-1 font-medium', i === 0 ? 'text-left' : 'pl-4 text-right')}
                  >
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
          )}
          <tbody>
            {days
              .map(({ day, value }, i) => (
                <tr key={day}>
                  <th scope="row" className="border-b py-1 text-left font-normal whitespace-nowrap text-muted">
                    {formatDay(day)}
                  </th>
                  {series.map(({ name, values }) => (
                    <td key={name} className="border-b py-1 pl-4 text-right">
                      {formatNumber(values[i] ?? 0)}
                    </td>
                  ))}
                  <td className="border-b py-1 pl-4 text-right whitespace-nowrap">{format(value)}</td>
                </tr>
              ))
              .reverse()}
          </tbody>
        </table>
      </div>
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
