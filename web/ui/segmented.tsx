import { useId } from 'react'

interface SegmentedProps<Value extends string> {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
}

/** A radio group of a few options side by side, for views of the same content. */
export function Segmented<Value extends string>({ label, value, options, onChange }: SegmentedProps<Value>) {
  const name = useId()
  return (
    <fieldset className="flex w-fit max-w-full rounded-md border border-line-strong bg-surface p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="flex min-h-8 items-center max-frame:min-h-11 rounded-sm px-3 text-sm transition-colors hover:bg-hover has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent-ink has-focus-visible:ring-focus"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={value === option.value}
            onChange={() => onChange(option.value)}
            className="sr-only"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
