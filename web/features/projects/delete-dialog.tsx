import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import type { ChatsOfDeleted, Project } from '#contract/projects.ts'
import { TRASH_DAYS } from '#contract/threads.ts'
import { formatNumber, plural } from '#web/lib/format.ts'
import { message } from '#web/lib/notify.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { deleteProject } from './queries.ts'

/** Asks what happens to the chats; files and instructions are deleted in either case. */
export function DeleteDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const { id, name, chats } = project
  const remove = useMutation({
    mutationFn: (choice: ChatsOfDeleted) => deleteProject(client, id, choice),
    onSuccess: (_, choice) => {
      message.success(choice === 'keep' || chats === 0 ? 'Проект удалён' : 'Проект удалён, его чаты в корзине')
      navigate(paths.projects(), { replace: true })
    },
  })
  const count = `${formatNumber(chats)} ${plural(chats, 'чат', 'чата', 'чатов')}`
  return (
    <Dialog open onClose={onClose} title={`Удалить проект «${name}»?`}>
      <p className="text-pretty text-muted">
        Инструкции и файлы проекта исчезнут сразу.
        {chats > 0 &&
          ` В нём ${count}, вместе с архивными: их можно оставить в общем списке или убрать в корзину на ${TRASH_DAYS} дней.`}
      </p>
      <div className="mt-5 flex flex-col gap-2 sm:flex-row sm:flex-wrap sm:justify-end">
        <Button variant="ghost" onClick={onClose}>
          Отмена
        </Button>
        {chats > 0 && (
          <Button variant="danger" busy={remove.isPending} onClick={() => remove.mutate('trash')}>
            Удалить вместе с чатами
          </Button>
        )}
        <Button
          variant={chats > 0 ? 'primary' : 'danger'}
          busy={remove.isPending}
          onClick={() => remove.mutate('keep')}
        >
          {chats > 0 ? 'Оставить чаты' : 'Удалить'}
        </Button>
      </div>
    </Dialog>
  )
}
