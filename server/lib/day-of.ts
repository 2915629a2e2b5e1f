/** The day as a page or a search engine writes it, in its own time zone; null for impossible and future days. */
export function dayOf(value: string | null | undefined, now = Date.now()): string | null {
  const [, year, month, day] = /^\s*(\d{4})-?(\d{2})-?(\d{2})(?!\d)/.exec(value ?? '') ?? []
  if (!year || !month || !day) return null
  const date = `${year}-${month}-${day}`
  const at = Date.parse(`${date}T00:00:00Z`)
  const isReal = !Number.isNaN(at) && new Date(at).toISOString().startsWith(date)
  return isReal && Number(year) >= 1990 && at <= now + 2 * 86_400_000 ? date : null
}
