import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import type { Image } from '#contract/images.ts'
import { classNames } from '#web/lib/class-names.ts'
import { Button } from '#web/ui/button.tsx'
import { CircleAlert, Layers, Undo2 } from '#web/ui/icons.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { versionsQuery } from './queries.ts'

const Compare = lazy(() => import('./compare.tsx').then((found) => ({ default: found.Compare })))

interface VersionsProps {
  image: Image
  /** A change that was begun here: it is shown when it is ready. */
  awaited: string | null
  onShow: (id: string) => void
  onArrive: (id: string) => void
  onRetry: (failed: Image) => void
}

/** Everything that the image was changed from and into. */
export function Versions({ image, awaited, onShow, onArrive, onRetry }: VersionsProps) {
  const query = useQuery(versionsQuery(image.id))
  const { data: versions = [] } = query
  const [isComparing, compare] = useState(false)
  const isAwaitedReady = versions.some(({ id, status }) => id === awaited && status === 'ready')
  const arrive = useEffectEvent(onArrive)
  useEffect(() => {
    if (awaited && isAwaitedReady) arrive(awaited)
  }, [awaited, isAwaitedReady])
  if (query.error) return <QueryError query={query} title="Версии не загрузились" />
  if (versions.length < 2) return null
  const parent = versions.find(({ id }) => id === image.parentId)
  return (
    <section className="flex flex-col gap-2">
      <h3 className="text-sm font-medium">Версии</h3>
      <ol aria-label="Версии" className="flex gap-2 overflow-x-auto no-scrollbar p-1">
        {versions.map((version, i) => (
          <li key={version.id} className="shrink-0">
            <Version
              version={version}
              number={i + 1}
              isShown={version.id === image.id}
              onPress={() => (version.status === 'failed' ? onRetry(version) : onShow(version.id))}
            />
          </li>
        ))}
      </ol>
      {parent && (
        <div className="grid grid-cols-2 gap-2">
          <Button size="sm" icon={<Undo2 size={16} />} onClick={() => onShow(parent.id)}>
            Вернуться
          </Button>
          <Button size="sm" icon={<Layers size={16} />} onClick={() => compare(true)}>
            Сравнить
          </Button>
        </div>
      )}
      {parent && isComparing && (
        <Suspense fallback={null}>
          <Compare before={parent} after={image} onClose={() => compare(false)} />
        </Suspense>
      )}
    </section>
  )
}

interface VersionProps {
  version: Image
  number: number
  isShown: boolean
  onPress: () => void
}

function Version({ version: { status, thumbnailUrl, prompt, error }, number, isShown, onPress }: VersionProps) {
  const name = { making: 'рисуется', failed: 'не получилось, повторить', ready: prompt }[status]
  return (
    <button
      type="button"
      disabled={status === 'making'}
      aria-current={isShown}
      aria-label={`Версия ${number}: ${name}`}
      title={error?.message ?? prompt}
      onClick={onPress}
      className={classNames(
        'relative grid size-16 place-items-center overflow-hidden rounded-md border bg-hover text-xs text-muted',
        isShown && 'border-accent-ink ring-2 ring-accent-ink',
      )}
    >
      {status === 'ready' && <img src={thumbnailUrl} alt="" className="size-full object-cover" />}
      {status === 'making' && <span className="animate-pulse">Рисую…</span>}
      {status === 'failed' && <CircleAlert size={18} className="text-danger" />}
      <span className="figures absolute top-1 left-1 rounded-xs bg-surface/85 px-1 text-xs text-ink">{number}</span>
    </button>
  )
}
