import { useQuery } from '@tanstack/react-query'
import { modelsQuery, usualCostsQuery } from '#web/features/models/queries.ts'
import { useProfile } from '#web/features/users/queries.ts'
import { worthLabel } from './worth-label.ts'

/** «≈ 600 ответов или 250 картинок»: what the symbols buy at usual prices. Nothing while these are not known. */
export function SymbolsWorth({ symbols }: { symbols: number }) {
  const { data: models = [] } = useQuery(modelsQuery)
  const { data: costs = [] } = useQuery(usualCostsQuery)
  const settingId = useProfile().data?.Settings.threadModel
  const visible = models.filter(({ hidden }) => !hidden)
  const texts = visible.filter(({ kind }) => kind === 'text')
  const usual = texts.find(({ id }) => id === settingId) ?? texts[0]
  const label = worthLabel(symbols, {
    exchange: costs.find(({ modelId }) => modelId === usual?.id)?.exchange ?? null,
    image: visible.find(({ kind, imagePrice }) => kind === 'image' && imagePrice)?.imagePrice ?? null,
  })
  return label && <span className="figures block text-sm text-muted">{label}</span>
}
