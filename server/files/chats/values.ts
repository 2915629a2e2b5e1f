/** Readers of JSON that other services wrote: a field of another type is the same as a missing one. */

export type Json = Record<string, unknown>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const objectOf = (value: unknown): Json => (isObject(value) ? value : {})

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Milliseconds of a time in seconds or of an ISO date; null for anything else. */
export function timeOf(value: unknown): number | null {
  const ms = typeof value === 'number' ? value * 1000 : typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isFinite(ms) && ms > EARLIEST && ms < LATEST ? Math.round(ms) : null
}

const EARLIEST = Date.UTC(2000, 0)
const LATEST = Date.UTC(2100, 0)
