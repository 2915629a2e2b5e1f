import { lazy, Suspense } from 'react'
import { imageIdIn } from '#contract/image-address.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

const ChatPicture = lazy(async () => ({ default: (await import('#web/features/images/chat-picture.tsx')).ChatPicture }))

/** How a chat shows what was drawn in it. Loaded with the first picture. */
export function showThreadPicture(src: string, alt: string) {
  const id = imageIdIn(src)
  return (
    id && (
      <Suspense fallback={<Skeleton className="aspect-square w-full max-w-lg rounded-md" />}>
        <ChatPicture id={id} alt={alt} />
      </Suspense>
    )
  )
}
