import { formatNumber, plural } from '#web/lib/format.ts'

interface Prices {
  /** What a question with its answer usually costs; null when too few were asked. */
  exchange: number | null
  /** The price of an image; null without an image model. */
  image: number | null
}

/** «≈ 600 ответов или 250 картинок»; null when nothing is known or the symbols are not enough for one. */
export function worthLabel(symbols: number, { exchange, image }: Prices): string | null {
  const parts = [
    countOf(symbols, exchange, ['ответ', 'ответа', 'ответов']),
    countOf(symbols, image, ['картинка', 'картинки', 'картинок']),
  ].filter((part) => part !== null)
  return parts.length === 0 ? null : `≈ ${parts.join(' или ')}`
}

function countOf(symbols: number, price: number | null, [one, few, many]: [string, string, string]): string | null {
  const count = price ? roundDown(symbols / price) : 0
  return count < 1 ? null : `${formatNumber(count)}\u00a0${plural(count, one, few, many)}`
}

/** Rounds down to two significant digits. */
function roundDown(n: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, n))) - 1)
  return Math.floor(n / step) * step
}
