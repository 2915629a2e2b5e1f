import { useQuery } from '@tanstack/react-query'
import type { Image } from '#contract/images.ts'
import { formatBytes } from '#web/lib/format-bytes.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Trash2 } from '#web/ui/icons.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { useSelection } from '#web/ui/table/selection.ts'
import { SelectionBar } from '#web/ui/table/selection-bar.tsx'
import { cancelLabel, countImages } from './image-labels.ts'
import { ImageTile, type TileActions } from './image-tile.tsx'
import { imageUsageQuery } from './queries.ts'

interface GalleryProps extends Omit<TileActions, 'onToggle'> {
  images: Image[]
  selection: ReturnType<typeof useSelection<Image>>
}

const grid =
  'grid grid-cols-[repeat(auto-fill,minmax(min(9rem,100%),1fr))] gap-2 sm:grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] sm:gap-3'

/** Equal squares: the last row is as even as the others. */
export function Gallery({ images, selection, onDelete, ...actions }: GalleryProps) {
  const selected = selection.rows.map(({ id }) => id)
  function removeTicked() {
    selection.clear()
    onDelete(selected)
  }
  return (
    <>
      <ul aria-label="Изображения" className={grid}>
        {images.map((image) => (
          <ImageTile
            key={image.id}
            image={image}
            isSelected={selection.selection.ids.has(image.id)}
            isChoosing={selected.length > 0}
            onToggle={selection.toggle}
            onDelete={onDelete}
            {...actions}
          />
        ))}
      </ul>
      <SelectionBar count={selected.length} onClear={selection.clear}>
        <Button size="sm" variant="ghost" onClick={selection.toggleAll}>
          Выбрать все
        </Button>
        <Button size="sm" variant="danger" icon={<Trash2 size={16} />} onClick={removeTicked}>
          Удалить
        </Button>
      </SelectionBar>
    </>
  )
}

const SKELETON_TILES = 8

export function GallerySkeleton() {
  return (
    <div aria-hidden="true" className={grid}>
      {Array.from({ length: SKELETON_TILES }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: static placeholders
        <Skeleton key={i} className="aspect-square rounded-md" />
      ))}
    </div>
  )
}

interface CancelDialogProps {
  images: readonly Image[]
  onClose: () => void
  onCancel: () => void
}

/** Confirms cancelling an image that the provider already draws, with the price that is charged anyway. */
export function CancelDialog({ images, onClose, onCancel }: CancelDialogProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Не дожидаться картинки?"
      footer={
        <>
          <Button onClick={onClose}>Дождаться</Button>
          <Button variant="danger" onClick={onCancel}>
            Не рисовать
          </Button>
        </>
      }
    >
      <p className="text-pretty">{cancelLabel(images)}</p>
    </Dialog>
  )
}

const NEARLY_FULL = 0.9

export function UsageLine() {
  const { data: usage } = useQuery(imageUsageQuery)
  if (!usage || usage.count === 0) return null
  const isNearlyFull = usage.bytes > usage.limit * NEARLY_FULL
  return (
    <p className={`figures text-sm ${isNearlyFull ? 'text-warning' : 'text-muted'}`}>
      {countImages(usage.count)} · {formatBytes(usage.bytes)} из {formatBytes(usage.limit)}
    </p>
  )
}
