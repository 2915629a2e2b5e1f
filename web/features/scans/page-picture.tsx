import { useState } from 'react'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { pictureAddress } from './scan-query.ts'

interface PagePictureProps {
  fileId: string
  page: number
}

export function PagePicture({ fileId, page }: PagePictureProps) {
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading')
  const address = pictureAddress(fileId, page)
  if (state === 'failed') return <p className="text-sm text-muted">Картинку страницы показать не получилось.</p>
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener"
      title="Открыть в полный размер"
      className="block overflow-hidden rounded-md border bg-page"
    >
      {state === 'loading' && <Skeleton className="aspect-[1/1.41]" />}
      <img
        src={address}
        alt={`Страница ${page}`}
        onLoad={() => setState('shown')}
        onError={() => setState('failed')}
        className={state === 'loading' ? 'sr-only' : 'w-full'}
      />
    </a>
  )
}
