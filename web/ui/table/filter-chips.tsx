import { useState } from 'react'
import type { ChangeOf } from '#web/lib/url-state.ts'
import { ClearableChip, chipStyle, FilterChip, type Option } from './filter-chip.tsx'
import { RangeChip } from './range-chip.tsx'

type NameOf<State> = { [Name in keyof State]: State[Name] extends string | null ? Name : never }[keyof State] & string
type Choices<Value extends string> = readonly Option<Value>[] | Readonly<Record<Value, string>>

/** One of several values. */
type ChoiceChip<State> = {
  [Name in NameOf<State>]: {
    filter: Name
    label: string
    /** The text when nothing is chosen. */
    any: string
    options: Choices<NonNullable<State[Name]> & string>
    /** Another filter, which makes no sense with a new value of this one. */
    clears?: NameOf<State>
    isRare?: boolean
  }
}[NameOf<State>]

/** Two filters with the ends of a range. */
interface RangeOfChip<State> {
  from: NameOf<State>
  to: NameOf<State>
  label: string
  type: 'date' | 'number'
  isWhole?: boolean
  isRare?: boolean
}

/** A filter set elsewhere, such as one user; shown only while it is set. */
interface FixedChip<State> {
  fixed: NameOf<State>
  label: string
  value: string
}

export type Chip<State> = ChoiceChip<State> | RangeOfChip<State> | FixedChip<State>

interface FilterChipsProps<State> {
  state: State
  change: (change: ChangeOf<State>) => void
  chips: readonly Chip<State>[]
}

/** The filters of a list as chips. Rare ones are behind «Ещё» unless they are set. */
export function FilterChips<State extends object>({ state, change, chips }: FilterChipsProps<State>) {
  const [isOpen, setOpen] = useState(false)
  const isSet = (chip: Chip<State>) => namesOf(chip).some((name) => state[name])
  const isShown = (chip: Chip<State>) => isOpen || !('isRare' in chip && chip.isRare) || isSet(chip)
  const shown = chips.filter(isShown)
  return (
    <>
      <ChipList state={state} change={change} chips={shown} />
      {shown.length < chips.length && (
        <button type="button" className={chipStyle(false)} onClick={() => setOpen(true)}>
          Ещё
        </button>
      )}
    </>
  )
}

function namesOf<State>(chip: Chip<State>): NameOf<State>[] {
  if ('fixed' in chip) return [chip.fixed]
  return 'from' in chip ? [chip.from, chip.to] : [chip.filter]
}

function ChipList<State extends object>({ state, change, chips }: FilterChipsProps<State>) {
  const text = (name: NameOf<State>) => String(state[name] ?? '')
  const set = (values: Partial<Record<NameOf<State>, string | null>>) => change(values as ChangeOf<State>)
  return chips.map((chip) => {
    if ('fixed' in chip)
      return (
        text(chip.fixed) && (
          <ClearableChip
            key={chip.label}
            label={chip.label}
            value={chip.value}
            onClear={() => set(record([chip.fixed, null]))}
          />
        )
      )
    if ('from' in chip)
      return (
        <RangeChip
          key={chip.label}
          label={chip.label}
          type={chip.type}
          range={{ from: text(chip.from), to: text(chip.to) }}
          onChange={({ from, to }) =>
            set(record([chip.from, withoutFraction(from, chip)], [chip.to, withoutFraction(to, chip)]))
          }
        />
      )
    return (
      <FilterChip
        key={chip.label}
        label={chip.label}
        any={chip.any}
        value={text(chip.filter) || null}
        options={optionsOf(chip.options)}
        onChange={(value) => set(record([chip.filter, value], ...(chip.clears ? [[chip.clears, null] as const] : [])))}
      />
    )
  })
}

function record<Name extends string>(...entries: (readonly [Name, string | null])[]) {
  return Object.fromEntries(entries) as Partial<Record<Name, string | null>>
}

const withoutFraction = (text: string, { isWhole }: { isWhole?: boolean }) =>
  isWhole ? text.replace(/\..*$/, '') : text

function optionsOf(options: Choices<string>): readonly Option<string>[] {
  return isList(options) ? options : Object.entries(options).map(([value, label]) => ({ value, label }))
}

function isList(options: Choices<string>): options is readonly Option<string>[] {
  return Array.isArray(options)
}
