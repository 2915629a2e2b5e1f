import type { Image } from '#contract/images.ts'
import { classNames } from '#web/lib/class-names.ts'
import { withPrice } from '#web/lib/format.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { CircleAlert, Pencil, RotateCcw, Trash2 } from '#web/ui/icons.ts'
import { SelectionCheckbox } from '#web/ui/table/selection-checkbox.tsx'
import { usePartial } from './queries.ts'

export interface TileActions {
  onOpen: (id: string) => void
  onRepeat: (image: Image) => void
  onChange: (image: Image) => void
  /** What drawing it again costs; null if its model is gone. */
  repeatPrice: (image: Image) => number | null
  onDelete: (ids: string[]) => void
  onToggle: (id: string, withShift: boolean) => void
}

interface ImageTileProps extends TileActions {
  image: Image
  isSelected: boolean
  /** While images are selected, a click selects. */
  isChoosing: boolean
}

/** A square whatever the image is; the whole image opens on a click. */
export function ImageTile({ image, ...actions }: ImageTileProps) {
  return (
    <li data-image={image.id} className="group relative aspect-square min-w-0 overflow-hidden rounded-md bg-hover">
      {image.status === 'ready' && <Ready image={image} {...actions} />}
      {image.status === 'making' && <Making image={image} onDelete={actions.onDelete} />}
      {image.status === 'failed' && <Failed image={image} {...actions} />}
    </li>
  )
}

function Ready({ image, isSelected, isChoosing, onOpen, onChange, onToggle }: ImageTileProps) {
  const { id, prompt, width, height, thumbnailUrl } = image
  return (
    <>
      <button
        type="button"
        aria-label={isChoosing ? `Отметить: ${prompt}` : `Открыть: ${prompt}`}
        title={prompt.length > 200 ? `${prompt.slice(0, 200)}…` : prompt}
        onClick={({ shiftKey }) => (isChoosing ? onToggle(id, shiftKey) : onOpen(id))}
        className="absolute inset-0 block size-full focus-visible:outline-offset-[-3px]"
      >
        <img
          src={thumbnailUrl}
          alt=""
          width={width}
          height={height}
          loading="lazy"
          decoding="async"
          className={classNames(
            'size-full object-cover transition-[transform,opacity] duration-200',
            isSelected && 'scale-90 rounded-md opacity-85',
          )}
        />
      </button>
      <span
        className={classNames(
          'absolute top-1.5 left-1.5 grid size-8 place-items-center rounded-sm bg-surface/85 transition-opacity',
          !isChoosing &&
            'opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100 pointer-coarse:bg-surface/60',
        )}
      >
        <SelectionCheckbox
          label={`Выбрать: ${prompt}`}
          state={isSelected ? 'all' : 'none'}
          onToggle={(withShift) => onToggle(id, withShift)}
        />
      </span>
      {!isChoosing && (
        <IconButton
          size="sm"
          label={`Изменить: ${prompt}`}
          icon={<Pencil size={16} />}
          onClick={() => onChange(image)}
          className="absolute right-1.5 bottom-1.5 bg-surface/85 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100"
        />
      )}
    </>
  )
}

function Making({ image, onDelete }: { image: Image; onDelete: TileActions['onDelete'] }) {
  const partial = usePartial(image.id)
  return (
    <div className="absolute inset-0 flex flex-col justify-between gap-1 overflow-hidden p-3">
      {partial && <img src={partial} alt="" className="absolute inset-0 size-full object-cover opacity-60" />}
      <span
        aria-hidden="true"
        className="absolute inset-0 -translate-x-full animate-[shimmer_2.2s_ease-in-out_infinite] bg-linear-to-r from-transparent via-surface/60 to-transparent"
      />
      <span className="relative flex items-start justify-between gap-2">
        <span role="status" className="text-sm font-medium">
          Рисую…
        </span>
        <IconButton
          size="sm"
          label="Не рисовать"
          icon={<Trash2 size={16} />}
          onClick={() => onDelete([image.id])}
          className="-mt-1.5 -mr-1.5"
        />
      </span>
      <span className="relative line-clamp-3 text-[13px] text-muted wrap-anywhere">{image.prompt}</span>
    </div>
  )
}

type FailedProps = Pick<ImageTileProps, 'image' | 'onRepeat' | 'repeatPrice' | 'onDelete'>

function Failed({ image, onRepeat, repeatPrice, onDelete }: FailedProps) {
  return (
    <div className="absolute inset-0 flex flex-col justify-between gap-2 border border-danger/30 bg-danger-soft p-3 max-sm:p-2">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <div tabIndex={0} className="min-h-0 overflow-y-auto text-[13px] leading-5">
        <p className="line-clamp-2 font-medium wrap-anywhere">{image.prompt}</p>
        <p className="mt-1 text-danger">
          <CircleAlert size={15} className="mr-1 inline align-[-2px]" />
          {image.error?.message ?? 'Не получилось.'}
        </p>
      </div>
      <div className="flex shrink-0 items-center gap-1">
        <Button
          size="sm"
          icon={<RotateCcw size={15} className="max-sm:hidden" />}
          onClick={() => onRepeat(image)}
          className="min-w-0 flex-1 max-sm:px-2"
        >
          {withPrice('Повторить', repeatPrice(image))}
        </Button>
        <IconButton size="sm" label="Убрать" icon={<Trash2 size={16} />} onClick={() => onDelete([image.id])} />
      </div>
    </div>
  )
}
