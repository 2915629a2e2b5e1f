import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { addressOf } from '#contract/endpoint.ts'
import { findScreen } from '#contract/screens.ts'
import { type ExportFormat, type Thread, threadsApi } from '#contract/threads.ts'
import { threadQuery } from '#web/features/chat/queries.ts'
import { openFind } from '#web/lib/find-in-chat.ts'
import { lazyComponent } from '#web/lib/lazy-component.ts'
import { message } from '#web/lib/notify.ts'
import { paths } from '#web/lib/paths.ts'
import { saveFile } from '#web/lib/save-file.ts'
import {
  Archive,
  ArchiveRestore,
  Braces,
  FileText,
  FolderInput,
  Hash,
  Link2,
  Pencil,
  Pin,
  PinOff,
  Printer,
  Search,
  Sparkles,
  Trash2,
} from '#web/ui/icons.ts'
import { Menu, MenuCheck, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { useNameThread } from './queries.ts'
import { useThreadActions } from './use-thread-actions.ts'

interface ThreadMenuProps {
  thread: Thread
  trigger: ReactNode
  /** In the header of a conversation the menu has more items. */
  isHeader?: boolean
  onRename: () => void
  onShare: () => void
  /** The thread changed its place in the list, or left it. */
  onMoved?: (isGone: boolean) => void
}

export const MoveDialog = lazyComponent(async () => (await import('./move-dialog.tsx')).MoveDialog)

/** Mounted open: the click that opens it also loads it. */
export function ThreadMenu({ thread, trigger, isHeader = false, onRename, onShare, onMoved }: ThreadMenuProps) {
  const actions = useThreadActions()
  const name = useNameThread()
  const [isMoving, setMoving] = useState(false)
  function moveOut(action: (threads: Thread[]) => void) {
    action([thread])
    onMoved?.(true)
  }

  function pin() {
    actions.pin(thread)
    onMoved?.(false)
  }

  function suggestTitle() {
    name.mutate(thread, {
      onSuccess: (title) => title === thread.title && message.success('Название осталось прежним'),
    })
  }

  return (
    <>
      <Menu defaultOpen align={isHeader ? 'end' : 'start'} trigger={trigger}>
        {!thread.archived && (
          <MenuItem icon={thread.pinned ? <PinOff size={18} /> : <Pin size={18} />} onSelect={pin}>
            {thread.pinned ? 'Открепить' : 'Закрепить'}
          </MenuItem>
        )}
        <MenuItem icon={<Pencil size={18} />} onSelect={onRename}>
          Переименовать
        </MenuItem>
        {isHeader && (
          <MenuItem icon={<Sparkles size={18} />} disabled={name.isPending} onSelect={suggestTitle}>
            {name.isPending ? 'Придумываю название…' : 'Придумать название'}
          </MenuItem>
        )}
        {isHeader && (
          // After the menu has closed and given the focus back.
          <MenuItem icon={<Search size={18} />} onSelect={() => setTimeout(openFind)}>
            Найти в чате
          </MenuItem>
        )}
        <MenuItem icon={<Link2 size={18} />} onSelect={onShare}>
          Поделиться
        </MenuItem>
        {findScreen(paths.projects()) && (
          <MenuItem icon={<FolderInput size={18} />} onSelect={() => setMoving(true)}>
            В проект…
          </MenuItem>
        )}
        <MenuSeparator />
        <ExportItems thread={thread} canPrint={isHeader} />
        <MenuSeparator />
        {thread.archived ? (
          <MenuItem icon={<ArchiveRestore size={18} />} onSelect={() => moveOut(actions.restore)}>
            Вернуть из архива
          </MenuItem>
        ) : (
          <MenuItem icon={<Archive size={18} />} onSelect={() => moveOut(actions.archive)}>
            В архив
          </MenuItem>
        )}
        <MenuItem danger icon={<Trash2 size={18} />} onSelect={() => moveOut(actions.remove)}>
          Удалить
        </MenuItem>
      </Menu>
      {isMoving && (
        <Suspense>
          <MoveDialog threads={[thread]} onClose={() => setMoving(false)} />
        </Suspense>
      )}
    </>
  )
}

function ExportItems({ thread, canPrint }: { thread: Thread; canPrint: boolean }) {
  const { mutate: download } = useExportThread(thread)
  const client = useQueryClient()
  const [withThoughts, setWithThoughts] = useState(false)
  // The messages are cached only if the chat has been opened.
  const known = client.getQueryData(threadQuery(client, thread.id).queryKey)?.Messages ?? []
  const hasThoughts = known.some(({ thought }) => thought && thought.text !== '')
  const save = (format: ExportFormat) => download({ format, withThoughts })
  return (
    <>
      {hasThoughts && (
        <MenuCheck isOn={withThoughts} onChange={setWithThoughts}>
          Добавлять размышления в файл
        </MenuCheck>
      )}
      <MenuItem icon={<FileText size={18} />} onSelect={() => save('docx')}>
        Скачать в Word
      </MenuItem>
      <MenuItem icon={<Hash size={18} />} onSelect={() => save('md')}>
        Скачать в Markdown
      </MenuItem>
      <MenuItem icon={<Braces size={18} />} onSelect={() => save('json')}>
        Скачать в JSON
      </MenuItem>
      {canPrint && (
        // After the menu has closed, else it would be printed.
        <MenuItem icon={<Printer size={18} />} onSelect={() => setTimeout(() => print())}>
          Печать или PDF
        </MenuItem>
      )}
    </>
  )
}

function useExportThread({ id, title }: Thread) {
  return useMutation({
    mutationFn: ({ format, withThoughts }: { format: ExportFormat; withThoughts: boolean }) => {
      const query = { format, ...(withThoughts && { thoughts: '1' as const }) }
      return saveFile(addressOf(threadsApi.export, { params: { id }, query }), `${title}.${format}`)
    },
  })
}
