/** The same lines with one of them elsewhere; a place that does not exist changes nothing. */
export function moveLine(lines: readonly string[], from: number, to: number): string[] {
  const moved = lines[from]
  if (moved === undefined || to < 0 || to >= lines.length) return [...lines]
  const rest = lines.filter((_, i) => i !== from)
  return [...rest.slice(0, to), moved, ...rest.slice(to)]
}
