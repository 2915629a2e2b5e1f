import { classNames } from '#web/lib/class-names.ts'
import { MarkedText } from '#web/ui/marked-text.tsx'
import type { PaletteItem } from './palette-items.ts'

interface PaletteOptionProps {
  id: string
  item: PaletteItem
  isActive: boolean
  onPoint: () => void
  onChoose: () => void
}

export function PaletteOption({
  id,
  item: { Icon, title, fragment, note },
  isActive,
  onPoint,
  onChoose,
}: PaletteOptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard stays in the field, as in every combobox
    // biome-ignore lint/a11y/useFocusableInteractive: the field tells which option is active
    <div
      role="option"
      id={id}
      aria-selected={isActive}
      // Not on entering: a list that grows under a resting pointer chooses nothing.
      onPointerMove={() => !isActive && onPoint()}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className={classNames(
        'flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-2.5 py-1.5',
        isActive && 'bg-hover',
      )}
    >
      <Icon size={18} aria-hidden="true" className="shrink-0 text-muted" />
      <span className="min-w-0 flex-1">
        <span className="block truncate">
          <MarkedText parts={title} />
        </span>
        {fragment.length > 0 && (
          <span className="line-clamp-2 text-sm text-muted wrap-anywhere">
            <MarkedText parts={fragment} />
          </span>
        )}
      </span>
      {note && <span className="figures shrink-0 text-sm text-muted">{note}</span>}
    </div>
  )
}
