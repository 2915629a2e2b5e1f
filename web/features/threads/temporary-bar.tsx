import { Timer } from 'lucide-react'
import { useLocation } from 'wouter'
import type { Thread } from '#contract/threads.ts'
import { message } from '#web/lib/notify.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { useEndThread, useNameThread, useUpdateThreads } from './queries.ts'

/** Under the title of a temporary chat: what becomes of it, and the two ways out. */
export function TemporaryBar({ thread, onEnd }: { thread: Thread; onEnd: () => void }) {
  const [, navigate] = useLocation()
  const update = useUpdateThreads()
  const name = useNameThread()
  const end = useEndThread()

  // The bar is gone when the answers come, so they are awaited here. The mutation cache shows errors.
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
    <section
      data-screen-only
      aria-label="Временный чат"
      className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b bg-hover/60 px-4 py-1.5 text-sm"
    >
      <p className="flex min-w-0 flex-1 basis-64 items-center gap-2 text-pretty text-muted">
        <Timer size={16} aria-hidden="true" className="shrink-0" />
        Нет в списке и поиске. Удалится через сутки после последнего сообщения.
      </p>
      <div className="flex gap-2">
        <Button
          size="sm"
          busy={update.isPending}
          className="max-frame:min-h-11"
          onClick={() => void save().catch(() => undefined)}
        >
          Сохранить чат
        </Button>
        <Button
          size="sm"
          variant="danger"
          busy={end.isPending}
          className="max-frame:min-h-11"
          onClick={() => void finish()}
        >
          Закончить чат
        </Button>
      </div>
    </section>
  )
}
