import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as z from 'zod'

/** The figures of a run as a file, so that the next run can be compared with them. */

const Goal = z.union([
  z.object({ most: z.number(), timesFloor: z.number().optional() }),
  z.object({ timesFloor: z.number() }),
  z.object({ leastShare: z.number() }),
])

const ResultRow = z.object({
  what: z.string(),
  /** Null where it could not be measured. */
  ours: z.number().nullable(),
  floor: z.number().nullable().optional(),
  goal: Goal.optional(),
  isExact: z.boolean().optional(),
})

const ResultTable = z.object({ title: z.string(), rows: z.array(ResultRow) })
export type ResultTable = z.infer<typeof ResultTable>

const ResultPart = z.object({
  part: z.string(),
  date: z.string(),
  commit: z.string(),
  isCorrect: z.boolean(),
  tables: z.array(ResultTable),
})
export type ResultPart = z.infer<typeof ResultPart>

const Machine = z.object({
  node: z.string(),
  processor: z.string(),
  cores: z.number(),
  memoryMib: z.number(),
  /** The load average of the machine before the run. */
  load: z.number(),
})
export type Machine = z.infer<typeof Machine>

export const Results = z.object({ version: z.literal(1), machine: Machine, parts: z.array(ResultPart) })
export type Results = z.infer<typeof Results>

export function readResults(path: string): Results | null {
  return existsSync(path) ? Results.parse(JSON.parse(readFileSync(path, 'utf8'))) : null
}

export function writeResults(path: string, results: Results): void {
  write(path, results)
}

/** Parts that were not measured this time have their last figures. */
export function mergeParts(before: readonly ResultPart[], now: readonly ResultPart[]): ResultPart[] {
  const measured = new Set(now.map(({ part }) => part))
  return [...before.filter(({ part }) => !measured.has(part)), ...now]
}

const tables: z.input<typeof ResultTable>[] = []

/** When `bench/all.ts` runs a part, it names the file for its tables. */
export function storeTable(title: string, rows: z.input<typeof ResultRow>[]): void {
  const path = process.env.BENCH_TABLES
  if (!path) return
  tables.push({ title, rows })
  write(path, tables)
}

export const readTables = (path: string): ResultTable[] =>
  existsSync(path) ? z.array(ResultTable).parse(JSON.parse(readFileSync(path, 'utf8'))) : []

/** A figure that is no number becomes null. */
function write(path: string, value: unknown) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}
