import { useLocation } from 'wouter'
import type { Thread } from '#contract/threads.ts'
import { message } from '#web/lib/notify.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { BookmarkPlus, CircleX, Timer } from '#web/ui/icons.ts'
import { useEndThread, useNameThread, useUpdateThreads } from './queries.ts'

/** Buttons to save or end a temporary chat, in the bar of its title; only icons on a phone. */
export function TemporaryTools({ thread, onEnd }: { thread: Thread; onEnd: () => void }) {
  const [, navigate] = useLocation()
  const update = useUpdateThreads()
  const name = useNameThread()
  const end = useEndThread()

  // The bar is unmounted before the responses come, so its calls are awaited here. The mutation cache shows errors.
  async function save() {
    await update.mutateAsync({ threads: [thread], change: { temporary: false } })
    message.success('Чат сохранён и есть в списке')
    if (thread.currentLeafId) name.mutate({ ...thread, temporary: false })
  }

  async function finish() {
    navigate(paths.home(), { replace: true })
    try {
      await end.mutateAsync(thread)
      onEnd()
      message.success('Временный чат удалён')
    } catch {
      navigate(paths.thread(thread.id), { replace: true })
    }
  }

  return (
    <div className="flex items-center gap-2 max-frame:gap-0">
      <Button
        size="sm"
        variant="ghost"
        className={toolStyle}
        busy={update.isPending}
        onClick={() => void save().catch(() => undefined)}
      >
        <BookmarkPlus size={18} />
        <span className="max-frame:sr-only">Сохранить чат</span>
      </Button>
      <Button size="sm" variant="ghost" className={toolStyle} onClick={() => void finish()}>
        <CircleX size={18} />
        <span className="max-frame:sr-only">Закончить чат</span>
      </Button>
    </div>
  )
}

const toolStyle = 'max-frame:size-11 max-frame:px-0'

export function TemporaryNote() {
  return (
    <p
      data-screen-only
      className="flex items-center justify-center gap-2 px-4 pt-3 text-center text-sm text-pretty text-muted"
    >
      <Timer size={16} className="shrink-0" />
      Нет в списке и поиске. Удалится через сутки после последнего сообщения.
    </p>
  )
}
