import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { MAX_PROMPT_CATEGORY } from '#contract/prompts.ts'
import type { BulkAction } from '#contract/prompts-admin.ts'
import { formatNumber, plural } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Eye, EyeOff, FolderInput, RotateCcw, Trash2 } from '#web/ui/icons.ts'
import { SelectionBar } from '#web/ui/table/selection-bar.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { categoriesQuery } from '../queries.ts'

interface BulkBarProps {
  ids: string[]
  isTrash: boolean
  canPublish: boolean
  isActing: boolean
  onAction: (action: BulkAction) => void
  onClear: () => void
}

export function BulkBar({ ids, isTrash, canPublish, isActing, onAction, onClear }: BulkBarProps) {
  const [isNaming, setNaming] = useState(false)
  return (
    <SelectionBar count={ids.length} onClear={onClear}>
      {isTrash ? (
        <Action
          icon={<RotateCcw size={16} />}
          label="Вернуть"
          isActing={isActing}
          run={() => onAction({ action: 'restore', ids })}
        />
      ) : (
        <>
          {canPublish && (
            <Action
              icon={<Eye size={16} />}
              label="Опубликовать"
              isActing={isActing}
              run={() => onAction({ action: 'publish', ids })}
            />
          )}
          <Action
            icon={<EyeOff size={16} />}
            label="Снять с публикации"
            isActing={isActing}
            run={() => onAction({ action: 'unpublish', ids })}
          />
          <Action icon={<FolderInput size={16} />} label="Категория" isActing={isActing} run={() => setNaming(true)} />
          <Action
            icon={<Trash2 size={16} />}
            label="Удалить"
            isActing={isActing}
            run={() => onAction({ action: 'delete', ids })}
          />
        </>
      )}
      {isNaming && (
        <CategoryDialog
          count={ids.length}
          onClose={() => setNaming(false)}
          onChoose={(category) => {
            setNaming(false)
            onAction({ action: 'categorise', ids, category })
          }}
        />
      )}
    </SelectionBar>
  )
}

interface ActionProps {
  icon: ReactNode
  label: string
  isActing: boolean
  run: () => void
}

function Action({ icon, label, isActing, run }: ActionProps) {
  return (
    <Button
      size="sm"
      variant="ghost"
      title={label}
      icon={icon}
      disabled={isActing}
      onClick={run}
      className="max-md:min-h-10 max-md:px-2.5"
    >
      <span className="max-md:sr-only">{label}</span>
    </Button>
  )
}

interface CategoryDialogProps {
  count: number
  onChoose: (category: string) => void
  onClose: () => void
}

function CategoryDialog({ count, onChoose, onClose }: CategoryDialogProps) {
  const form = useId()
  const [name, setName] = useState('')
  const { data: categories = [] } = useQuery(categoriesQuery('all'))
  return (
    <Dialog
      open
      onClose={onClose}
      title="Сменить категорию"
      footer={
        <Button type="submit" form={form} variant="primary" disabled={name.trim() === ''}>
          Перенести {formatNumber(count)} {plural(count, 'промпт', 'промпта', 'промптов')}
        </Button>
      }
    >
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') onChoose(name)
        }}
      >
        <TextField
          label="Категория"
          hint="Выберите из списка или напишите новую."
          list={`${form}-names`}
          autoComplete="off"
          maxLength={MAX_PROMPT_CATEGORY}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <datalist id={`${form}-names`}>
          {categories.map(({ category }) => (
            <option key={category} value={category} />
          ))}
        </datalist>
      </form>
    </Dialog>
  )
}
