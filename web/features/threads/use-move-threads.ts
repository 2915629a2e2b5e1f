import type { Thread } from '#contract/threads.ts'
import { message } from '#web/lib/notify.ts'
import { useUpdateThreads } from './queries.ts'
import { threadsLabel } from './use-thread-actions.ts'

/** Moves chats into a project, or out of theirs; apart from the other actions, which the first screen loads. */
export function useMoveThreads() {
  const { mutate: update } = useUpdateThreads()
  return (threads: Thread[], project: { id: string; name: string } | null) => {
    update({ threads, change: { projectId: project?.id ?? null } })
    const name = project ? `в проекте «${project.name}»` : 'без проекта'
    message.success(`${threadsLabel(threads.length)} теперь ${name}`)
  }
}
