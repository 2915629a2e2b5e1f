import { useQuery } from '@tanstack/react-query'
import type { Image } from '#contract/images.ts'
import { ImageDetails } from '#web/features/images/image-details.tsx'
import { Lightbox } from '#web/features/images/lightbox.tsx'
import { imageQuery } from '#web/features/images/queries.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import type { ImageQueue } from './use-studio.ts'

interface ShownImageProps {
  id: string
  images: Image[]
  imageQueue: ImageQueue
  onShow: (id: string | null) => void
  onDelete: (id: string) => void
}

/** The picture of the address, also one that the gallery has not come to yet. */
export function ShownImage({ id, images, imageQueue, onShow, onDelete }: ShownImageProps) {
  const ready = images.filter(({ status }) => status === 'ready')
  const place = ready.findIndex((image) => image.id === id)
  const { data: models } = useQuery(modelsQuery)
  const { data: other } = useQuery({ ...imageQuery(id), enabled: place < 0 })
  const image = ready[place] ?? other
  if (image?.status !== 'ready') return null
  const neighbour = (step: number) => (place < 0 ? null : (ready[place + step]?.id ?? null))
  const modelName = models?.find((model) => model.id === image.modelId)?.name ?? image.modelId

  function action(work: () => void) {
    onShow(null)
    work()
  }
  return (
    <Lightbox image={image} previous={neighbour(-1)} next={neighbour(1)} onShow={onShow} onClose={() => onShow(null)}>
      <ImageDetails
        image={image}
        modelName={modelName}
        repeatPrice={imageQueue.drawing?.find((model) => model.id === image.modelId)?.imagePrice ?? null}
        onRepeat={() => action(() => imageQueue.repeat(image))}
        onDelete={() => action(() => onDelete(image.id))}
      />
    </Lightbox>
  )
}
