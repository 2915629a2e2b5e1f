import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { DEFAULT_ICON, MAX_PROJECT_NAME, type Project, type ProjectDraft } from '#contract/projects.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { IconField } from './icon-field.tsx'

interface NewProjectDialogProps {
  create: (draft: ProjectDraft) => Promise<Project>
  onMade: (project: Project) => void
  onClose: () => void
}

export function NewProjectDialog({ create, onMade, onClose }: NewProjectDialogProps) {
  const [name, setName] = useState('')
  const [icon, setIcon] = useState<string>(DEFAULT_ICON)
  const making = useMutation({
    meta: { silent: true },
    mutationFn: () => create({ name: name.trim(), icon } as ProjectDraft),
    onSuccess: onMade,
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (name.trim() !== '' && !making.isPending) making.mutate()
  }
  return (
    <Dialog open onClose={onClose} title="Новый проект">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="Название"
          value={name}
          onChange={(event) => setName(event.target.value)}
          autoComplete="off"
          placeholder="Ремонт квартиры"
          maxLength={MAX_PROJECT_NAME}
          error={making.error ? callErrorText(making.error) : undefined}
        />
        <IconField value={icon} onChange={setIcon} />
        <div className="flex justify-end gap-2">
          <Button variant="ghost" onClick={onClose}>
            Отмена
          </Button>
          <Button type="submit" variant="primary" busy={making.isPending} disabled={name.trim() === ''}>
            Создать
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
