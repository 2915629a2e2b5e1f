import { formatDay, formatNumber } from '#web/lib/format.ts'

export type RangeType = 'date' | 'number'

/** An open end is an empty string. */
export interface Range {
  from: string
  to: string
}

/** «Баланс от 1 000 до 5 000»; null when both ends are open. */
export function rangeLabel(label: string, { from, to }: Range, type: RangeType): string | null {
  if (!from && !to) return null
  const [since, until] = type === 'date' ? ['с', 'по'] : ['от', 'до']
  return [label, from && `${since} ${endLabel(from, type)}`, to && `${until} ${endLabel(to, type)}`]
    .filter(Boolean)
    .join(' ')
}

function endLabel(text: string, type: RangeType): string {
  return type === 'date' ? formatDay(`${text}T12:00:00`) : formatNumber(Number(text))
}

/** Accepts spaces and a decimal comma; an invalid number gives an empty string. */
export function readEnd(text: string, type: RangeType): string {
  if (type === 'date') return text.trim()
  const plain = text.replace(/[\s\u00a0\u202f]/g, '').replace(',', '.')
  return plain !== '' && Number(plain) >= 0 ? String(Number(plain)) : ''
}
