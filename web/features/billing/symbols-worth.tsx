import { useQuery } from '@tanstack/react-query'
import { modelsQuery, usualCostsQuery, usualModel } from '#web/features/models/queries.ts'
import { useProfile } from '#web/features/users/queries.ts'
import { worthLabel } from './worth-label.ts'

/** «≈ 600 ответов или 250 картинок»: what the symbols buy at usual prices. Nothing while these are not known. */
export function SymbolsWorth({ symbols }: { symbols: number }) {
  const { data: models = [] } = useQuery(modelsQuery)
  const { data: costs = [] } = useQuery(usualCostsQuery)
  const usual = usualModel(models, useProfile().data?.Settings.threadModel ?? null)
  const label = worthLabel(symbols, {
    exchange: costs.find(({ modelId }) => modelId === usual?.id)?.exchange ?? null,
    image: models.find(({ kind, hidden, imagePrice }) => kind === 'image' && !hidden && imagePrice)?.imagePrice ?? null,
  })
  return label && <span className="figures block text-sm text-muted">{label}</span>
}
