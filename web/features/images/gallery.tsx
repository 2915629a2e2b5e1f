import { Trash2 } from 'lucide-react'
import type { Image } from '#contract/images.ts'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { useSelection } from '#web/ui/table/selection.ts'
import { SelectionBar } from '#web/ui/table/selection-bar.tsx'
import { ImageTile, type TileActions } from './image-tile.tsx'

interface GalleryProps extends Omit<TileActions, 'onTick'> {
  images: Image[]
  selection: ReturnType<typeof useSelection<Image>>
}

const rows = 'flex flex-wrap gap-2 [--row:9rem] sm:[--row:13rem] sm:gap-3'

/** Rows filled to the edge. The last one keeps its height: the end of the list takes the room that is left. */
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
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
          key={i}
          style={{ aspectRatio: ratio, flexGrow: ratio, flexBasis: `calc(var(--row) * ${ratio})` }}
        >
          <Skeleton className="size-full rounded-md" />
        </span>
      ))}
    </div>
  )
}
