export interface ComboOption {
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
  const asked = words(query)
  const begins = query.trim().toLowerCase()
  return options
    .filter(({ value }) => asked.every((word) => value.toLowerCase().includes(word)))
    .toSorted((a, b) => Number(startsWith(b, begins)) - Number(startsWith(a, begins)))
}

function startsWith({ value }: ComboOption, text: string): boolean {
  return text !== '' && value.toLowerCase().startsWith(text)
}
