import type { Level } from './stream-levels.ts'
import type { Row } from './table.ts'

/** Goals by the number of streams; where there is none, the figure is only shown. */
const cpuGoals: Record<number, number> = { 100: 1.5, 300: 2 }
const firstGoals: Record<number, { p50: number; p99?: number }> = { 10: { p50: 10 }, 100: { p50: 40, p99: 150 } }
const memoryGoals = { rest: 150, peak: 300 }

const most = (goal: number | undefined) => (goal === undefined ? {} : { goal: { most: goal } })

/** The results for one number of streams. An embedded database works inside the server: its speed has no goals here. */
export function levelRows({ count, ours, floor }: Level, embedded: boolean): Row[] {
  const both = (what: string, take: (side: Level['ours']) => number) => ({
    what: `${count}: ${what}`,
    ours: take(ours),
    floor: take(floor),
  })
  const timesFloor = embedded ? undefined : cpuGoals[count]
  const { p50, p99 } = (embedded ? undefined : firstGoals[count]) ?? {}
  const { postgresPerThousand } = ours
  return [
    {
      ...both('CPU на 1000 кусочков, с', (side) => side.cpuPerThousand),
      ...(timesFloor ? { goal: { timesFloor } } : {}),
    },
    ...(postgresPerThousand === null ? [] : [{ what: `${count}: и ещё у Postgres, с`, ours: postgresPerThousand }]),
    { ...both('добавка к первому слову p50, мс', (side) => side.added.p50), ...most(p50) },
    { ...both('она же p99, мс', (side) => side.added.p99), ...most(p99) },
    both('её часть до модели p50, мс', (side) => side.before),
    both('ответ целиком p50, мс', (side) => side.total),
    both('порций на ответ', (side) => side.reads),
    { ...both('потеряно букв', (side) => side.lost), ...most(0) },
    { ...both('ошибок', (side) => side.failures.length), ...most(0) },
  ]
}

/** The goals are for a server whose database is a process of its own. */
export function memoryRows(levels: Level[], rest: { ours: number; floor: number }, embedded: boolean): Row[] {
  const peak = (side: 'ours' | 'floor') => Math.max(...levels.map((level) => level[side].peakMib))
  return [
    { what: 'память в покое, МиБ', ...rest, ...(embedded ? {} : most(memoryGoals.rest)) },
    {
      what: 'память под нагрузкой, МиБ',
      ours: peak('ours'),
      floor: peak('floor'),
      ...(embedded ? {} : most(memoryGoals.peak)),
    },
  ]
}
