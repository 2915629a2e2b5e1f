import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { MAX_PROMPT_CATEGORY } from '#contract/prompts.ts'
import { formatNumber, plural } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { categoriesQuery } from '../queries.ts'

interface CategoryDialogProps {
  count: number
  onChoose: (category: string) => void
  onClose: () => void
}

export function CategoryDialog({ count, onChoose, onClose }: CategoryDialogProps) {
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
