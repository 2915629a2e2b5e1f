import { useTyped } from '#web/lib/use-typed.ts'
import { Search } from '#web/ui/icons.ts'

interface SearchBoxProps {
  label: string
  value: string
  onChange: (query: string) => void
}

/** Searches after a pause in typing. A change from outside, such as «Показать все», replaces the text. */
export function SearchBox({ label, value, onChange }: SearchBoxProps) {
  const { typed, type } = useTyped(value, onChange)
  return (
    <search className="relative w-full grow sm:w-auto sm:max-w-72 sm:basis-44">
      <Search size={16} className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-muted" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        maxLength={200}
        value={typed}
        onChange={(event) => type(event.target.value)}
        className="h-9 w-full max-sm:h-11 rounded-full border border-line-strong bg-surface pr-3 pl-9 text-sm hover:border-muted"
      />
    </search>
  )
}
