export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: readonly number[]) => quantile(values, 0.5)
export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
export const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))

export function formatFigure(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '—'
  const digits = value === 0 || Number.isInteger(value) ? 0 : Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 3
  return value.toFixed(digits).replace('.', ',')
}
