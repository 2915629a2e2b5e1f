import { useQuery } from '@tanstack/react-query'
import { ApiError } from '#contract/errors.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { paths } from '#web/lib/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Brush, ImageOff, Pencil } from '#web/ui/icons.ts'
import { Link } from '#web/ui/link.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useImageEventsOf } from './image-events.ts'
import { imageQuery } from './queries.ts'

interface ChatImageProps {
  id: string
  alt: string
  onChange: () => void
}

/** An image drawn in a chat, or a note if it was deleted from the gallery. */
export function ChatImage({ id, alt, onChange }: ChatImageProps) {
  const { data: image, error } = useQuery(imageQuery(id))
  useImageEventsOf(id)
  if (error instanceof ApiError && error.status === 404)
    return (
      <span className="answer-image-box">
        <ImageOff size={20} />
        <span>Изображение удалено</span>
      </span>
    )
  if (!image && error)
    return (
      <span role="alert" className="answer-image-box">
        <ImageOff size={20} />
        <span>{callErrorText(error)}</span>
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
      <span data-screen-only className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" icon={<Pencil size={16} />} onClick={onChange}>
          Изменить
        </Button>
        <ButtonLink
          href={paths.changeImage(id)}
          size="sm"
          variant="ghost"
          icon={<Brush size={16} />}
          className="no-underline!"
        >
          Кисть и примеры
        </ButtonLink>
      </span>
    </span>
  )
}
