import { goals } from './goals.ts'
import type { Level } from './stream-levels.ts'
import type { Row } from './table.ts'

const { cpuTimesFloor, programCpuTimesFloor, firstMs, restMib, peakMib } = goals.streams

const atMost = (goal: number | undefined) => (goal === undefined ? {} : { goal: { most: goal } })

/** The results for one number of streams. An embedded database works inside the server: its speed has no goals here. */
export function levelRows({ count, ours, floor }: Level, embedded: boolean): Row[] {
  const both = (what: string, take: (side: Level['ours']) => number) => ({
    what: `${count}: ${what}`,
    ours: take(ours),
    floor: take(floor),
  })
  const timesFloor = embedded ? undefined : cpuTimesFloor[count]
  const { p50, p99 } = (embedded ? undefined : firstMs[count]) ?? {}
  const { postgresPerThousand } = ours
  return [
    {
      ...both('CPU на 1000 кусочков, с', (side) => side.cpuPerThousand),
      ...(timesFloor ? { goal: { timesFloor } } : {}),
    },
    ...(postgresPerThousand === null ? [] : [{ what: `${count}: и ещё у Postgres, с`, ours: postgresPerThousand }]),
    { ...both('добавка к первому слову p50, мс', (side) => side.added.p50), ...atMost(p50) },
    { ...both('она же p99, мс', (side) => side.added.p99), ...atMost(p99) },
    both('её часть до модели p50, мс', (side) => side.before),
    both('ответ целиком p50, мс', (side) => side.total),
    both('порций на ответ', (side) => side.reads),
    { ...both('потеряно букв', (side) => side.wrongCharacters), ...atMost(0) },
    { ...both('ошибок', (side) => side.failures.length), ...atMost(0) },
  ]
}

/** The same answers for programs with API keys: nothing of them is stored. */
export function programRows({ count, ours, floor }: Level, embedded: boolean): Row[] {
  const goal = embedded ? {} : { goal: { timesFloor: programCpuTimesFloor } }
  const what = (text: string) => `${count} по /v1: ${text}`
  return [
    { what: what('CPU на 1000 кусочков, с'), ours: ours.cpuPerThousand, floor: floor.cpuPerThousand, ...goal },
    { what: what('добавка к первому слову p50, мс'), ours: ours.added.p50, floor: floor.added.p50 },
    { what: what('потеряно букв'), ours: ours.wrongCharacters, floor: floor.wrongCharacters, ...atMost(0) },
    { what: what('ошибок'), ours: ours.failures.length, floor: floor.failures.length, ...atMost(0) },
  ]
}

/** The goals are for a server whose database is a process of its own. */
export function memoryRows(levels: Level[], rest: { ours: number; floor: number }, embedded: boolean): Row[] {
  const peak = (side: 'ours' | 'floor') => Math.max(...levels.map((level) => level[side].peakMib))
  return [
    { what: 'память в покое, МиБ', ...rest, ...(embedded ? {} : atMost(restMib)) },
    {
      what: 'память под нагрузкой, МиБ',
      ours: peak('ours'),
      floor: peak('floor'),
      ...(embedded ? {} : atMost(peakMib)),
    },
  ]
}
