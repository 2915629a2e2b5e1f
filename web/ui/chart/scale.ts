/** The round number that an axis ends with: 1, 2 or 5 and noughts. */
export function ceiling(most: number): number {
  if (most <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(most))
  return [1, 2, 5, 10].map((step) => step * power).find((end) => end >= most) ?? most
}

/** A place that the arrow, Home and End keys lead to. */
export function nextPlace(key: string, at: number, count: number): number {
  if (key === 'ArrowLeft') return Math.max(at - 1, 0)
  if (key === 'ArrowRight') return Math.min(at + 1, count - 1)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : at
}
