import { useTyped } from '#web/lib/use-typed.ts'
import { TextField } from './text-field.tsx'

interface SearchFieldProps {
  label: string
  placeholder: string
  maxLength?: number
  value: string
  onChange: (query: string) => void
}

/** Searches after a pause in typing. */
export function SearchField({ value, onChange, maxLength = 200, ...labels }: SearchFieldProps) {
  const { typed, type } = useTyped(value, onChange)
  return (
    <search>
      <TextField
        {...labels}
        type="search"
        autoComplete="off"
        maxLength={maxLength}
        value={typed}
        onChange={(event) => type(event.target.value)}
      />
    </search>
  )
}
