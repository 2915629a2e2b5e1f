import { useQuery } from '@tanstack/react-query'
import { ApiError } from '#contract/errors.ts'
import { paths } from '#web/lib/paths.ts'
import { buttonStyle } from '#web/ui/button-style.ts'
import { ImageOff } from '#web/ui/icons.ts'
import { Link } from '#web/ui/link.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useImageEventsOf } from './image-events.ts'
import { imageQuery } from './queries.ts'

/** An image drawn in a chat, or a note if it was deleted from the gallery. */
export function ChatImage({ id, alt }: { id: string; alt: string }) {
  const { data: image, error } = useQuery(imageQuery(id))
  useImageEventsOf(id)
  if (error instanceof ApiError && error.status === 404)
    return (
      <span className="answer-image-box">
        <ImageOff size={20} />
        <span>Изображение удалено</span>
      </span>
    )
  if (!image) return <Skeleton className="aspect-square w-full max-w-lg rounded-md" />
  return (
    <span className="block w-fit max-w-full">
      <Link href={paths.images(id)} title="Открыть в галерее" className="block">
        <img
          src={image.url}
          alt={alt}
          width={image.width}
          height={image.height}
          className="max-h-[70dvh] w-auto max-w-full"
        />
      </Link>
      <Link href={`${paths.images(id)}&change=1`} className={buttonStyle('secondary', 'sm')}>
        Изменить
      </Link>
    </span>
  )
}
