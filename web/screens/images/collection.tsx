import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import type { Image } from '#contract/images.ts'
import { DropDialog } from '#web/features/images/drop-dialog.tsx'
import { EmptyGallery, NothingFound } from '#web/features/images/empty-gallery.tsx'
import { Gallery, GallerySkeleton } from '#web/features/images/gallery.tsx'
import { imagesIn } from '#web/features/images/image-pages.ts'
import { imagesQuery } from '#web/features/images/queries.ts'
import { LoadMore } from '#web/features/threads/load-more.tsx'
import { QueryError } from '#web/ui/query-error.tsx'
import { SearchBox } from '#web/ui/table/search-box.tsx'
import { useSelection } from '#web/ui/table/selection.ts'
import { ShownImage } from './shown-image.tsx'
import { useRemoval } from './use-removal.ts'
import type { ImageQueue } from './use-studio.ts'

interface CollectionProps {
  query: string
  onSearch: (query: string) => void
  imageQueue: ImageQueue
}

/** Everything that was drawn. The picture that is shown large is in the address: the way back closes it. */
export function Collection({ query, onSearch, imageQueue }: CollectionProps) {
  const list = useInfiniteQuery(imagesQuery(query))
  const all = imagesIn(list.data)
  const { hidden, remove, dropping } = useRemoval(all)
  const images = all.filter(({ id }) => !hidden.has(id))
  const selection = useSelection(images, ({ id }: Image) => id)
  const [params, setParams] = useSearchParams()
  const shownId = params.get('image')
  const show = (id: string | null) => setParams(id ? { image: id } : {}, { replace: id === null || shownId !== null })

  return (
    <>
      {(images.length > 0 || query !== '') && (
        <div className="flex">
          <SearchBox label="Найти по описанию" value={query} onChange={onSearch} />
        </div>
      )}
      {list.data ? (
        images.length === 0 && (
          <Nothing query={query} onSearch={onSearch} onExample={imageQueue.model ? imageQueue.write : null} />
        )
      ) : list.isError ? (
        <QueryError query={list} />
      ) : (
        <GallerySkeleton />
      )}
      {images.length > 0 && (
        <Gallery images={images} selection={selection} onOpen={show} onRepeat={imageQueue.repeat} onDelete={remove} />
      )}
      <LoadMore list={list} />
      {dropping.images.length > 0 && <DropDialog {...dropping} />}
      {shownId && !hidden.has(shownId) && (
        <ShownImage
          id={shownId}
          images={images}
          imageQueue={imageQueue}
          onShow={show}
          onDelete={(id) => remove([id])}
        />
      )}
    </>
  )
}

interface NothingProps {
  query: string
  onSearch: (query: string) => void
  onExample: ((prompt: string) => void) | null
}

function Nothing({ query, onSearch, onExample }: NothingProps) {
  if (query !== '') return <NothingFound query={query} onShowAll={() => onSearch('')} />
  return onExample && <EmptyGallery onExample={onExample} />
}
