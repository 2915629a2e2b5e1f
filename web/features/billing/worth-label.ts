import { price } from '#contract/billing.ts'
import type { Model, UsualCost } from '#contract/models.ts'
import { formatNumber, plural } from '#web/lib/format.ts'

interface Prices {
  /** Models with what a question and its answer cost, the usual model of the installation among them. */
  answers: { model: string; exchange: number }[]
  /** The price of an image; null without an image model. */
  image: number | null
}

/** «≈ 600 ответов «Мини», 66 ответов «Умная» или 250 картинок»; null when the symbols are not enough for one. */
export function worthLabel(symbols: number, { answers, image }: Prices): string | null {
  const counts = answers.flatMap(({ model, exchange }) => {
    const count = countOf(symbols, exchange, ['ответ', 'ответа', 'ответов'])
    return count === null ? [] : [`${count} «${model}»`]
  })
  const images = countOf(symbols, image, ['картинка', 'картинки', 'картинок'])
  const parts = [counts.join(', '), images].filter(Boolean)
  return parts.length === 0 ? null : `≈ ${parts.join(' или ')}`
}

/** A question with some history and an answer of a few paragraphs: assumed until enough answers were written. */
const TYPICAL = { input: 1000, output: 1500 }

/** The person's own model, which may be a dear one, beside the first in the list, which a newcomer asks. */
export function answerPrices(models: readonly Model[], ownId: string | null, costs: readonly UsualCost[]) {
  const own = models.find(({ id }) => id === ownId)
  const named = [...new Set([models[0], own])].filter((model) => model !== undefined)
  return named.map((model) => ({
    model: model.name,
    exchange:
      costs.find(({ modelId }) => modelId === model.id)?.exchange ?? price(TYPICAL.input, TYPICAL.output, model),
  }))
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
