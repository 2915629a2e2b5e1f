/** The value of a `datetime-local` field: minutes, in the viewer's own zone. */

export function readLocalTime(text: string): string | null {
  const at = new Date(text)
  return text === '' || Number.isNaN(at.getTime()) ? null : at.toISOString()
}

export function writeLocalTime(iso: string | null): string {
  if (iso === null) return ''
  const at = new Date(iso)
  const two = (n: number) => String(n).padStart(2, '0')
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`
}
