import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import type { Image } from '#contract/images.ts'
import { formatBytes } from '#web/lib/format-bytes.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { useSelection } from '#web/ui/table/selection.ts'
import { SelectionBar } from '#web/ui/table/selection-bar.tsx'
import { countImages, dropLabel } from './image-labels.ts'
import { ImageTile, type TileActions } from './image-tile.tsx'
import { imageUsageQuery } from './queries.ts'

interface GalleryProps extends Omit<TileActions, 'onTick'> {
  images: Image[]
  selection: ReturnType<typeof useSelection<Image>>
}

const rows = 'flex flex-wrap gap-2 [--row:9rem] sm:[--row:13rem] sm:gap-3'

/** Justified rows. The filler at the end keeps the last row from stretching. */
export function Gallery({ images, selection, onDelete, ...actions }: GalleryProps) {
  const ticked = selection.rows.map(({ id }) => id)
  function removeTicked() {
    selection.clear()
    onDelete(ticked)
  }
  return (
    <>
      <ul aria-label="Изображения" className={rows}>
        {images.map((image) => (
          <ImageTile
            key={image.id}
            image={image}
            isTicked={selection.selection.ids.has(image.id)}
            isChoosing={ticked.length > 0}
            onTick={selection.tick}
            onDelete={onDelete}
            {...actions}
          />
        ))}
        <li aria-hidden="true" className="grow-[1000]" />
      </ul>
      <SelectionBar count={ticked.length} onClear={selection.clear}>
        <Button size="sm" variant="ghost" onClick={selection.tickAll}>
          Выбрать все
        </Button>
        <Button size="sm" variant="danger" icon={<Trash2 size={16} aria-hidden="true" />} onClick={removeTicked}>
          Удалить
        </Button>
      </SelectionBar>
    </>
  )
}

const places = [1, 1.5, 1, 0.67, 1.5, 1, 1, 1.5]

export function GallerySkeleton() {
  return (
    <div aria-hidden="true" className={rows}>
      {places.map((ratio, i) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: static placeholders
          key={i}
          style={{ aspectRatio: ratio, flexGrow: ratio, flexBasis: `calc(var(--row) * ${ratio})` }}
        >
          <Skeleton className="size-full rounded-md" />
        </span>
      ))}
    </div>
  )
}

interface DropDialogProps {
  images: readonly Image[]
  onClose: () => void
  onDrop: () => void
}

/** Confirms cancelling an image that the provider already draws, with the price that is charged anyway. */
export function DropDialog({ images, onClose, onDrop }: DropDialogProps) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Не дожидаться картинки?"
      footer={
        <>
          <Button onClick={onClose}>Дождаться</Button>
          <Button variant="danger" onClick={onDrop}>
            Не рисовать
          </Button>
        </>
      }
    >
      <p className="text-pretty">{dropLabel(images)}</p>
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
