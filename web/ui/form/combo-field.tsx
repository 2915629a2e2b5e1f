import { type ChangeEvent, type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { controlStyle, describeControl, Field } from '#web/ui/field.tsx'

interface ComboFieldProps {
  label: ReactNode
  hint?: ReactNode
  error: string | null
  value: string
  options: readonly ComboOption[]
  onChange: (value: string) => void
}

/** A text field with suggestions; any other text is allowed too. */
export function ComboField({ label, hint, error, value, options, onChange }: ComboFieldProps) {
  const id = useId()
  const { shown, more, active, pick, input } = useCombo(value, options, onChange)
  const isShown = shown.length > 0
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <div className="relative">
        <input
          {...describeControl(id, hint, error)}
          {...input}
          role="combobox"
          aria-expanded={isShown}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={isShown ? `${id}-${active}` : undefined}
          autoComplete="off"
          spellCheck={false}
          className={classNames(controlStyle, 'h-11')}
        />
        {isShown && (
          <div className="absolute inset-x-0 top-full z-30 mt-1 max-h-72 overflow-y-auto rounded-md border bg-surface p-1 shadow-float">
            <div id={`${id}-list`} role="listbox" aria-label="Подсказки">
              {shown.map((option, index) => (
                <ComboItem
                  key={option.value}
                  id={`${id}-${index}`}
                  option={option}
                  isActive={index === active}
                  onPick={() => pick(option)}
                />
              ))}
            </div>
            {more > 0 && <p className="px-2.5 py-1.5 text-sm text-muted">И ещё {more}: уточните, что ищете.</p>}
          </div>
        )}
      </div>
    </Field>
  )
}

interface ComboItemProps {
  id: string
  option: ComboOption
  isActive: boolean
  onPick: () => void
}

function ComboItem({ id, option, isActive, onPick }: ComboItemProps) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the keyboard stays in the field, which names the active one
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the field picks
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      ref={(item) => {
        if (isActive) item?.scrollIntoView({ block: 'nearest' })
      }}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onPick}
      className={classNames(
        'cursor-pointer rounded-sm px-2.5 py-1.5 text-[15px] wrap-anywhere hover:bg-hover',
        isActive && 'bg-hover',
      )}
    >
      {option.value}
      {option.warning && <span className="block text-sm text-warning">{option.warning}</span>}
    </div>
  )
}

const MAX_OPTIONS = 50

function useCombo(value: string, options: readonly ComboOption[], onChange: (value: string) => void) {
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(0)
  const isPicked = options.some((option) => option.value === value)
  const found = findOptions(options, isPicked ? '' : value)
  const shown = found.slice(0, MAX_OPTIONS)
  const isShown = isOpen && shown.length > 0

  function pick(option: ComboOption) {
    onChange(option.value)
    setIsOpen(false)
  }

  function step(by: number) {
    setIsOpen(true)
    if (isShown) setActive((active + by + shown.length) % shown.length)
  }

  function onKeyDown(event: KeyboardEvent) {
    const option = shown[active]
    if (event.key === 'ArrowDown') step(1)
    else if (event.key === 'ArrowUp') step(-1)
    else if (isShown && event.key === 'Escape') setIsOpen(false)
    else if (isShown && option && event.key === 'Enter') pick(option)
    else return
    event.preventDefault()
  }

  return {
    shown: isShown ? shown : [],
    more: found.length - shown.length,
    active,
    pick,
    input: {
      value,
      onKeyDown,
      onClick: () => setIsOpen(true),
      onBlur: () => setIsOpen(false),
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
        onChange(target.value)
        setActive(0)
        setIsOpen(true)
      },
    },
  }
}

interface ComboOption {
  value: string
  /** Shown under the option. */
  warning?: string | null
}

const words = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s/:_-]+/)
    .filter(Boolean)

/** Options that contain every word of the query; those that start with it come first. */
export function findOptions(options: readonly ComboOption[], query: string): ComboOption[] {
  const queryWords = words(query)
  const begins = query.trim().toLowerCase()
  return options
    .filter(({ value }) => queryWords.every((word) => value.toLowerCase().includes(word)))
    .toSorted((a, b) => Number(startsWith(b, begins)) - Number(startsWith(a, begins)))
}

function startsWith({ value }: ComboOption, text: string): boolean {
  return text !== '' && value.toLowerCase().startsWith(text)
}
