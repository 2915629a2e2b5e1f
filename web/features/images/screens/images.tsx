import { useState } from 'react'
import { NoDrawingModel } from '#web/features/images/empty-gallery.tsx'
import { UsageLine } from '#web/features/images/gallery.tsx'
import { useImageEvents } from '#web/features/images/image-events.ts'
import { ImageForm } from '#web/features/images/image-form.tsx'
import { UploadPhoto } from '#web/features/images/upload-photo.tsx'
import { Collection } from './collection.tsx'
import { useStudio } from './use-studio.ts'

export default function ImagesScreen() {
  useImageEvents()
  const [query, setQuery] = useState('')
  const studio = useStudio(() => {
    setQuery('')
    scrollTo({ top: 0, behavior: 'smooth' })
  })
  const { drawing, model } = studio
  return (
    <div className="flex flex-col gap-6">
      <header className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2">
        <h1 className="text-2xl font-semibold">Изображения</h1>
        <UsageLine />
      </header>
      {drawing && !model && <NoDrawingModel isOwner={studio.isOwner} />}
      {drawing && model && (
        <ImageForm
          draft={studio.draft}
          onChange={studio.change}
          models={drawing}
          model={model}
          available={studio.available}
          making={studio.making}
        />
      )}
      <UploadPhoto onUploaded={() => setQuery('')} />
      <Collection query={query} onSearch={setQuery} studio={studio} />
    </div>
  )
}
