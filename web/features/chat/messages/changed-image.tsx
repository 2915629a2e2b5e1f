import { useState } from 'react'
import { fillPath } from '#contract/endpoint.ts'
import { IMAGE_THUMBNAIL } from '#contract/image-address.ts'
import { paths } from '#web/lib/paths.ts'
import { ImageOff } from '#web/ui/icons.ts'
import { Link } from '#web/ui/link.tsx'

/** The image that a question asks to change. */
export function ChangedImage({ imageId }: { imageId: string }) {
  const [isGone, setGone] = useState(false)
  return (
    <div className="mb-2 flex max-w-full items-center gap-2.5 rounded-md border bg-surface py-1.5 pr-3 pl-1.5 text-sm text-muted">
      {isGone ? (
        <span className="grid size-12 shrink-0 place-items-center rounded-sm bg-hover">
          <ImageOff size={20} />
        </span>
      ) : (
        <Link href={paths.images(imageId)} title="Открыть в галерее" className="shrink-0 rounded-sm">
          <img
            src={fillPath(IMAGE_THUMBNAIL, { id: imageId })}
            alt="Изменяемая картинка"
            loading="lazy"
            onError={() => setGone(true)}
            className="size-12 rounded-sm bg-hover object-cover"
          />
        </Link>
      )}
      {isGone ? 'Изменить картинку, которую потом удалили' : 'Изменить эту картинку'}
    </div>
  )
}
