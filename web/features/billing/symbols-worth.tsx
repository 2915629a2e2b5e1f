import { useQuery } from '@tanstack/react-query'
import { modelsQuery, textModels, usualCostsQuery } from '#web/features/models/queries.ts'
import { useProfile } from '#web/features/users/queries.ts'
import { answerPrices, worthLabel } from './worth-label.ts'

/** «≈ 600 ответов «Мини» или 250 картинок»: what the symbols buy. Nothing while the models are not known. */
export function SymbolsWorth({ symbols }: { symbols: number }) {
  const { data: models = [] } = useQuery(modelsQuery)
  const { data: costs = [] } = useQuery(usualCostsQuery)
  const ownId = useProfile().data?.Settings.threadModel ?? null
  const label = worthLabel(symbols, {
    answers: answerPrices(textModels(models), ownId, costs),
    image: models.find(({ kind, hidden, imagePrice }) => kind === 'image' && !hidden && imagePrice)?.imagePrice ?? null,
  })
  return label && <span className="figures block text-sm text-muted">{label}</span>
}
