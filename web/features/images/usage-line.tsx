import { useQuery } from '@tanstack/react-query'
import { formatBytes } from '#web/lib/format-bytes.ts'
import { countImages } from './image-labels.ts'
import { imageUsageQuery } from './queries.ts'

const NEARLY_FULL = 0.9

export function UsageLine() {
  const { data: usage } = useQuery(imageUsageQuery)
  if (!usage || usage.count === 0) return null
  const isNearlyFull = usage.bytes > usage.limit * NEARLY_FULL
  return (
    <p className={`figures text-sm ${isNearlyFull ? 'text-warning' : 'text-muted'}`}>
      {countImages(usage.count)} · {formatBytes(usage.bytes)} из {formatBytes(usage.limit)}
    </p>
  )
}
