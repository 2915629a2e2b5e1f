import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { Image } from '#contract/images.ts'
import { EmptyGallery, NothingFound } from '#web/features/images/empty-gallery.tsx'
import { CancelDialog, Gallery, GallerySkeleton } from '#web/features/images/gallery.tsx'
import { ImageDetails } from '#web/features/images/image-details.tsx'
import { cancelledLabel, changingModels, countImages, imagesAtProvider } from '#web/features/images/image-labels.ts'
import { imagesIn } from '#web/features/images/image-pages.ts'
import { Lightbox } from '#web/features/images/lightbox.tsx'
import { deleteImages, imageQuery, imagesQuery } from '#web/features/images/queries.ts'
import { useChanges, useNoteSetting } from '#web/features/images/use-changes.ts'
import { Versions } from '#web/features/images/versions.tsx'
import { modelsQuery } from '#web/features/models/queries.ts'
import { LoadMore } from '#web/features/threads/load-more.tsx'
import { callErrorText } from '#web/lib/error-text.ts'
import { plural } from '#web/lib/format.ts'
import { message } from '#web/lib/notify.ts'
import { undoable, usePendingRemovals } from '#web/lib/undoable.ts'
import { QueryError } from '#web/ui/query-error.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { SearchBox } from '#web/ui/table/search-box.tsx'
import { useSelection } from '#web/ui/table/selection.ts'
import type { ImageStudio } from './use-studio.ts'

const ChangeDialog = lazy(() =>
  import('#web/features/images/change-dialog.tsx').then((found) => ({ default: found.ChangeDialog })),
)

interface CollectionProps {
  query: string
  onSearch: (query: string) => void
  studio: ImageStudio
}

/** The gallery. The enlarged image is in the address, so that Back closes it. */
export function Collection({ query, onSearch, studio }: CollectionProps) {
  const list = useInfiniteQuery(imagesQuery(query))
  const all = imagesIn(list.data)
  const { hidden, remove, cancelling } = useRemoval(all)
  const images = all.filter(({ id }) => !hidden.has(id))
  const selection = useSelection(images, ({ id }: Image) => id)
  const [params, setParams] = useSearchParams()
  const shownId = params.get('image')
  const changes = useChanges(params.has('change') ? shownId : null)
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
          <Nothing query={query} onSearch={onSearch} onExample={studio.model ? studio.write : null} />
        )
      ) : list.isError ? (
        <QueryError query={list} />
      ) : (
        <GallerySkeleton />
      )}
      {images.length > 0 && (
        <Gallery
          images={images}
          selection={selection}
          onOpen={show}
          onRepeat={(image) =>
            image.parentId ? changes.open(image.parentId, { retried: image }) : studio.repeat(image)
          }
          onChange={(image) => changes.open(image.id)}
          repeatPrice={studio.repeatPrice}
          onDelete={remove}
        />
      )}
      <LoadMore list={list} />
      {cancelling.images.length > 0 && <CancelDialog {...cancelling} />}
      {shownId && !hidden.has(shownId) && (
        <ShownImage
          id={shownId}
          images={images}
          studio={studio}
          changes={changes}
          onShow={show}
          onDelete={(id) => remove([id])}
        />
      )}
      {changes.opened && (
        <Suspense fallback={null}>
          <ChangeDialog
            {...changes.opened}
            userId={studio.userId}
            models={changingModels(studio.drawing ?? [])}
            available={studio.available}
            maySpend={studio.maySpend}
            onClose={changes.close}
            onStarted={changes.started}
          />
        </Suspense>
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

interface ShownImageProps {
  id: string
  images: Image[]
  studio: ImageStudio
  changes: ReturnType<typeof useChanges>
  onShow: (id: string | null) => void
  onDelete: (id: string) => void
}

/** The image from the address, also when the gallery has not loaded it yet. */
function ShownImage({ id, images, studio, changes, onShow, onDelete }: ShownImageProps) {
  const [isNoted, setNoted] = useNoteSetting()
  const ready = images.filter(({ status }) => status === 'ready')
  const index = ready.findIndex((image) => image.id === id)
  const { data: models } = useQuery(modelsQuery)
  const { data: other } = useQuery({ ...imageQuery(id), enabled: index < 0 })
  const image = ready[index] ?? other
  if (image?.status !== 'ready') return null
  const neighbour = (step: number) => (index < 0 ? null : (ready[index + step]?.id ?? null))
  const modelName = models?.find((model) => model.id === image.modelId)?.name ?? image.modelId

  function action(work: () => void) {
    onShow(null)
    work()
  }
  return (
    <Lightbox
      image={image}
      previous={neighbour(-1)}
      next={neighbour(1)}
      onShow={onShow}
      onClose={() => onShow(null)}
      isNoted={isNoted}
    >
      <ImageDetails
        image={image}
        modelName={modelName}
        repeatPrice={studio.repeatPrice(image)}
        onChange={() => changes.open(image.id)}
        onReshape={() => changes.open(image.id, { isReshaping: true })}
        onRepeat={() => action(() => studio.repeat(image))}
        onDelete={() => action(() => onDelete(image.id))}
      >
        <Versions
          image={image}
          awaited={changes.awaited}
          onShow={onShow}
          onArrive={(arrived) => {
            changes.arrived()
            onShow(arrived)
          }}
          onRetry={(failed) => changes.open(failed.parentId ?? image.id, { retried: failed })}
        />
        {image.origin !== 'uploaded' && (
          <Switch label="Подпись «создано нейросетью»" checked={isNoted} onChange={setNoted} />
        )}
      </ImageDetails>
    </Lightbox>
  )
}

const PREFIX = 'images:'

/** Deletes images after an undo toast; until then they are hidden. */
function useRemoval(images: readonly Image[]) {
  const client = useQueryClient()
  const pendingRemovals = usePendingRemovals()
  const hidden = useMemo(
    () =>
      new Set(
        [...pendingRemovals]
          .filter((key) => key.startsWith(PREFIX))
          .flatMap((key) => key.slice(PREFIX.length).split(',')),
      ),
    [pendingRemovals],
  )
  const [cancelled, ask] = useState<Image[]>([])

  function remove(ids: string[]) {
    const running = imagesAtProvider(images.filter(({ id }) => ids.includes(id)))
    if (running.length > 0) ask(running)
    const rest = ids.filter((id) => !running.some((image) => image.id === id))
    if (rest.length > 0) removeLater(rest)
  }

  /** Without undo: the image would be finished before the toast closes. */
  async function cancelRunning() {
    ask([])
    try {
      const ids = cancelled.map(({ id }) => id)
      message.success(cancelledLabel(await deleteImages(client, ids)))
    } catch (error) {
      message.error(callErrorText(error))
    }
  }

  function removeLater(ids: string[]) {
    const verb = plural(ids.length, 'удалено', 'удалены', 'удалены')
    undoable({
      id: PREFIX + ids.join(','),
      title: ids.length === 1 ? 'Изображение удалено' : `${countImages(ids.length)} ${verb}`,
      action: () => deleteImages(client, ids),
      failed: 'Не удалось удалить',
    })
  }
  return {
    hidden,
    remove,
    cancelling: { images: cancelled, onClose: () => ask([]), onCancel: () => void cancelRunning() },
  }
}
