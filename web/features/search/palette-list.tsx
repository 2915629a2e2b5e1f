import { useEffect, useRef } from 'react'
import { classNames } from '#web/lib/class-names.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { plural } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Emblem } from '#web/ui/emblem.tsx'
import { MarkedText } from '#web/ui/marked-text.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { PaletteItem, PaletteSection } from './palette-items.ts'

interface PaletteListProps {
  listId: string
  found: { sections: PaletteSection[]; isSearching: boolean; error: Error | null; retry: () => unknown }
  active: PaletteItem | undefined
  optionId: (item: PaletteItem) => string
  onPoint: (item: PaletteItem) => void
  onChoose: (item: PaletteItem) => void
}

export function PaletteList({ listId, found, active, optionId, onPoint, onChoose }: PaletteListProps) {
  const { sections, isSearching, error, retry } = found
  const box = useRef<HTMLDivElement>(null)
  const activeId = active && optionId(active)
  useEffect(() => {
    const option = activeId ? document.getElementById(activeId) : null
    // The first item scrolls up to show its heading too.
    if (option && option === box.current?.querySelector('[role=option]')) box.current?.scrollTo(0, 0)
    else option?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  return (
    <div ref={box} className="min-h-0 flex-1 overflow-y-auto p-2" aria-busy={isSearching || undefined}>
      <div role="listbox" id={listId} aria-label="Найденное" tabIndex={-1}>
        {sections.map(({ title, items }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
          <div key={title} role="group" aria-label={title}>
            <p aria-hidden="true" className="px-2.5 pt-2 pb-1 text-[13px] text-muted">
              {title}
            </p>
            {items.map((item) => (
              <PaletteOption
                key={item.id}
                id={optionId(item)}
                item={item}
                isActive={item === active}
                onPoint={() => onPoint(item)}
                onChoose={() => onChoose(item)}
              />
            ))}
          </div>
        ))}
      </div>
      {isSearching && sections.length === 0 && <Skeleton className="m-2 h-10" />}
      {error && !isSearching && (
        <div role="alert" className="flex flex-wrap items-center justify-between gap-2 px-2.5 py-3 text-muted">
          Поиск не удался. {callErrorText(error)}
          <Button size="sm" onClick={() => retry()}>
            Повторить
          </Button>
        </div>
      )}
      <Outcome found={found} />
    </div>
  )
}

/** Always announced to screen readers, visible only when nothing is found. */
function Outcome({ found: { sections, isSearching, error } }: Pick<PaletteListProps, 'found'>) {
  const count = sections.reduce((sum, { items }) => sum + items.length, 0)
  const isNothing = count === 0 && !isSearching && !error
  return (
    <p role="status" className={isNothing ? 'px-2.5 py-6 text-center text-muted' : 'sr-only'}>
      {isNothing && 'Ничего не нашлось. Попробуйте другое слово.'}
      {count > 0 && !isSearching && `${count} ${plural(count, 'вариант', 'варианта', 'вариантов')}`}
    </p>
  )
}

interface PaletteOptionProps {
  id: string
  item: PaletteItem
  isActive: boolean
  onPoint: () => void
  onChoose: () => void
}

function PaletteOption({ id, item, isActive, onPoint, onChoose }: PaletteOptionProps) {
  const { Icon, emblem, title, fragment, note } = item
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard stays in the field, as in every combobox
    // biome-ignore lint/a11y/useFocusableInteractive: the field names the active option
    <div
      role="option"
      id={id}
      aria-selected={isActive}
      // On move, not on enter: a list that grows under a resting pointer must not change the active item.
      onPointerMove={() => !isActive && onPoint()}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className={classNames(
        'flex min-h-10 cursor-pointer items-center gap-3 rounded-md px-2.5 py-1.5',
        isActive && 'bg-hover',
      )}
    >
      {emblem ? <Emblem value={emblem} size={20} /> : <Icon size={18} className="shrink-0 text-muted" />}
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
