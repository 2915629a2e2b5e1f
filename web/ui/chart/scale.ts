const ENDS = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]

/** The round number at the top of the axis. */
export function ceiling(most: number): number {
  if (most <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(most))
  return ENDS.map((step) => step * power).find((end) => end >= most) ?? most
}

/** The index after an arrow, Home or End key. */
export function nextPlace(key: string, at: number, count: number): number {
  if (key === 'ArrowLeft') return Math.max(at - 1, 0)
  if (key === 'ArrowRight') return Math.min(at + 1, count - 1)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : at
}
