import { fillPath } from '#contract/endpoint.ts'
import { IMAGE_THUMBNAIL } from '#contract/image-address.ts'
import { paths } from '#web/lib/paths.ts'
import { X } from '#web/ui/icons.ts'
import { TextLink } from '#web/ui/text-link.tsx'

interface ChangeChipProps {
  imageId: string
  onRemove: () => void
}

/** The image that the message asks to change. Without it no image is sent. */
export function ChangeChip({ imageId, onRemove }: ChangeChipProps) {
  return (
    <fieldset
      aria-label="Картинка для изменения"
      className="mx-3 mt-3 flex w-fit max-w-[calc(100%-1.5rem)] items-center gap-2.5 rounded-md border bg-page py-1.5 pr-1 pl-1.5"
    >
      <img
        src={fillPath(IMAGE_THUMBNAIL, { id: imageId })}
        alt="Картинка, которую изменит модель"
        className="size-12 shrink-0 rounded-sm bg-hover object-cover text-[0]"
      />
      <span className="min-w-0 text-sm leading-tight">
        <span className="block truncate">Изменить эту картинку</span>
        <span className="block text-[13px]">
          <TextLink href={paths.changeImage(imageId)}>Кисть и примеры</TextLink>
        </span>
      </span>
      <button
        type="button"
        aria-label="Не менять эту картинку"
        title="Убрать"
        onClick={onRemove}
        className="grid size-9 shrink-0 place-items-center rounded-sm text-muted hover:bg-hover hover:text-ink pointer-coarse:size-11"
      >
        <X size={16} />
      </button>
    </fieldset>
  )
}
