export interface ComboOption {
  value: string
  /** Something to know before one takes it. */
  warning?: string | null
}

const words = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s/:_-]+/)
    .filter(Boolean)

/** Those that hold every word of the question, the ones that begin with it first. */
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
