import { GripVertical } from 'lucide-react'
import type { HTMLAttributes, KeyboardEvent } from 'react'
import { Link } from 'wouter'
import type { AdminPrompt } from '#contract/prompts-admin.ts'
import { classNames } from '#web/lib/class-names.ts'
import { formatDay, formatNumber } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Tag } from '../prompt-badge.tsx'
import { type RowAction, RowMenu } from './row-menu.tsx'
import type { Drag } from './use-drag.ts'

interface PromptRowViewProps {
  row: AdminPrompt
  withOwner: boolean
  isSelected: boolean
  onSelect: (isSelected: boolean) => void
  /** Null where the order is not by hand. */
  order: { drag: Drag | null; handle: HTMLAttributes<HTMLButtonElement>; onKey: (direction: -1 | 1) => void } | null
  onAction: (action: RowAction) => void
}

export function PromptRowView({ row, withOwner, isSelected, onSelect, order, onAction }: PromptRowViewProps) {
  const { id, title, description, category, uses, updatedAt, owner, deletedAt } = row
  return (
    <tr
      data-row={id}
      className={classNames(
        'border-b transition-colors',
        isSelected ? 'bg-accent-soft' : 'hover:bg-hover/60',
        order?.drag && dropStyle(order.drag, id),
      )}
    >
      <td className="py-1.5 pr-3 pl-1">
        <input
          type="checkbox"
          aria-label={`Выбрать «${title}»`}
          checked={isSelected}
          onChange={(event) => onSelect(event.target.checked)}
          className="block size-5 accent-accent"
        />
      </td>
      {order && <td>{row.canEdit && <Handle title={title} handle={order.handle} onKey={order.onKey} />}</td>}
      <td className="max-w-0 px-2 py-1.5">
        {deletedAt ? (
          <span className="block truncate font-medium">{title}</span>
        ) : (
          <Link href={paths.prompt(id)} className="block truncate rounded-xs font-medium hover:text-accent-ink">
            {title}
          </Link>
        )}
        {description && <span className="hidden truncate text-muted md:block">{description}</span>}
        <span className="mt-0.5 flex items-center gap-2 md:hidden">
          <State row={row} /> <span className="truncate text-muted">{category}</span>
        </span>
      </td>
      <td className="hidden max-w-48 truncate px-2 py-2 md:table-cell">{category}</td>
      <td className="hidden px-2 py-2 md:table-cell">
        <State row={row} />
      </td>
      <td className="figures hidden px-2 py-2 text-right lg:table-cell">{formatNumber(uses)}</td>
      <td className="figures hidden px-2 py-2 whitespace-nowrap text-muted lg:table-cell">{formatDay(updatedAt)}</td>
      {withOwner && (
        <td className="hidden max-w-40 truncate px-2 py-2 text-muted xl:table-cell" title={owner ?? undefined}>
          {owner ?? 'библиотека'}
        </td>
      )}
      <td className="py-1 text-right">
        <RowMenu row={row} onAction={onAction} />
      </td>
    </tr>
  )
}

function dropStyle({ id: dragged, target }: Drag, id: string): string | false {
  if (dragged === id) return 'opacity-50'
  if (target?.anchorId !== id) return false
  return target.place === 'before'
    ? 'shadow-[inset_0_2px_0_var(--accent-ink)]'
    : 'shadow-[inset_0_-2px_0_var(--accent-ink)]'
}

function State({ row: { published, deletedAt } }: { row: AdminPrompt }) {
  if (deletedAt) return <Tag tone="muted">В корзине</Tag>
  return published ? <Tag tone="success">Общий</Tag> : <Tag tone="muted">Закрытый</Tag>
}

interface HandleProps {
  title: string
  handle: HTMLAttributes<HTMLButtonElement>
  onKey: (direction: -1 | 1) => void
}

function Handle({ title, handle, onKey }: HandleProps) {
  const label = `Переместить «${title}»: перетащите или нажимайте стрелки`
  function press(event: KeyboardEvent) {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    onKey(event.key === 'ArrowUp' ? -1 : 1)
  }
  return (
    <button
      {...handle}
      type="button"
      data-handle
      aria-label={label}
      title={label}
      onKeyDown={press}
      className="grid size-8 cursor-grab touch-none place-items-center rounded-sm text-muted hover:bg-hover hover:text-ink active:cursor-grabbing"
    >
      <GripVertical size={18} aria-hidden="true" />
    </button>
  )
}
