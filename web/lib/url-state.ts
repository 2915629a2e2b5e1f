import { useMemo, useState } from 'react'
import { useLocation, useSearch, useSearchParams } from 'wouter'

/** State of a page in its address: a filtered list can be reloaded and shared. */

export interface Param<Value> {
  /** Invalid text gives the default. */
  read: (text: string | null) => Value
  /** Null for the default, which is not written. */
  write: (value: Value) => string | null
}

type Spec = Record<string, { read: (text: string | null) => unknown; write: (value: never) => string | null }>
export type StateOf<S extends Spec> = { [Name in keyof S]: ReturnType<S[Name]['read']> }
/** A change of some parameters; null removes one from the URL. */
export type ChangeOf<State> = { [Name in keyof State]?: State[Name] | null }

export function textParam(max = 200): Param<string> {
  return {
    read: (text) => (text ?? '').trim().slice(0, max),
    write: (text) => text.trim().slice(0, max) || null,
  }
}

export function integerParam(fallback: number, from: number, to: number): Param<number> {
  return {
    read: (text) => {
      const number = text !== null && /^\d{1,9}$/.test(text) ? Number(text) : fallback
      return number >= from && number <= to ? number : fallback
    },
    write: (number) => (number === fallback ? null : String(number)),
  }
}

/** One of the options, or null for any. */
export function choiceParam<const Option extends string>(options: readonly Option[]): Param<Option | null> {
  return {
    read: (text) => options.find((option) => option === text) ?? null,
    write: (option) => option,
  }
}

/** One of the options; the first is the default. */
export function optionParam<const Option extends string>(options: readonly [Option, ...Option[]]): Param<Option> {
  return {
    read: (text) => options.find((option) => option === text) ?? options[0],
    write: (option) => (option === options[0] ? null : option),
  }
}

/** A day such as `2026-03-01`; empty for none. */
export function dayParam(): Param<string> {
  return {
    read: (text) => (text && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''),
    write: (day) => day || null,
  }
}

/** A column name; a leading minus means descending. */
export function sortParam<const Name extends string>(
  names: readonly Name[],
  fallback: Name | `-${Name}`,
): Param<string> {
  return {
    read: (text) => (names.some((name) => text === name || text === `-${name}`) ? (text ?? fallback) : fallback),
    write: (sort) => (sort === fallback ? null : sort),
  }
}

/** The parameters of every table; its own filters are added to them. */
export function tableParams<const Name extends string>(sorts: readonly Name[], fallback: Name | `-${Name}`) {
  return {
    query: textParam(),
    sort: sortParam(sorts, fallback),
    page: integerParam(1, 1, 1_000_000),
    size: integerParam(50, 10, 200),
  }
}

export function readState<S extends Spec>(spec: S, params: URLSearchParams): StateOf<S> {
  const entries = Object.entries(spec).map(([name, param]) => [name, param.read(params.get(name))])
  return Object.fromEntries(entries) as StateOf<S>
}

/** Changes some parameters and leaves the others. Any change but the page's resets it to the first. */
export function writeState<S extends Spec>(
  spec: S,
  params: URLSearchParams,
  change: ChangeOf<StateOf<S>>,
): URLSearchParams {
  const next = new URLSearchParams(params)
  if (!('page' in change)) next.delete('page')
  for (const [name, value] of Object.entries(change)) {
    const text = value === null ? null : (spec[name]?.write(value as never) ?? null)
    if (text === null) next.delete(name)
    else next.set(name, text)
  }
  return next
}

type Change = (params: URLSearchParams) => URLSearchParams

/**
 * URL parameters of this screen. The old screen stays mounted for a moment after navigation starts: it then keeps
 * its last parameters and does not change those of the next screen.
 */
export function useScreenSearch() {
  const [path] = useLocation()
  const search = useSearch()
  const [, setParams] = useSearchParams()
  const [own] = useState(path)
  const [last, setLast] = useState(search)
  const isHere = path === own
  if (isHere && last !== search) setLast(search)
  const current = isHere ? search : last
  const params = useMemo(() => new URLSearchParams(current), [current])
  const change = (next: Change, options?: { replace?: boolean }) => {
    if (location.pathname === own) setParams(next, options)
  }
  return [params, change] as const
}

/** Changing the page adds a history entry; changing a filter replaces it. */
export function useUrlState<S extends Spec>(spec: S) {
  const [params, setParams] = useScreenSearch()
  return {
    state: readState(spec, params),
    change: (change: ChangeOf<StateOf<S>>) =>
      setParams((now) => writeState(spec, now, change), { replace: !('page' in change) }),
    reset: () => setParams(() => new URLSearchParams(), { replace: true }),
  }
}

/** Numbers, such as the page, are never empty. */
type Filled<State> = { [Name in keyof State as State[Name] extends number ? Name : never]: State[Name] } & {
  [Name in keyof State as State[Name] extends number ? never : Name]?: NonNullable<State[Name]>
}

/** Without the parameters that are empty. */
export function filled<State extends object>(state: State): Filled<State> {
  return Object.fromEntries(
    Object.entries(state).filter(([, value]) => value !== null && value !== ''),
  ) as Filled<State>
}

export function isFiltered(state: object, names: readonly string[]): boolean {
  return Object.entries(state).some(([name, value]) => names.includes(name) && Boolean(value))
}
