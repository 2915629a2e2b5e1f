import { formatNumber } from '#web/lib/format.ts'

/** The typed number of symbols, or an error text. */
export function readReturn(
  text: string,
  charged: number,
): { symbols: number; error: null } | { symbols: null; error: string } {
  const digits = text.replace(/\s/g, '')
  if (!/^\d{1,15}$/.test(digits) || Number(digits) < 1) return { symbols: null, error: 'Нужно целое число от 1' }
  const symbols = Number(digits)
  if (symbols > charged) {
    return { symbols: null, error: `Списано было ${formatNumber(charged)}: больше вернуть нельзя` }
  }
  return { symbols, error: null }
}
