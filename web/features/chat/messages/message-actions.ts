import { useQueryClient } from '@tanstack/react-query'
import { navigate } from 'wouter/use-browser-location'
import type { Message } from '#contract/threads.ts'
import { draftKey, drafts } from '#web/lib/drafts.ts'
import { message as toast } from '#web/lib/notify.ts'
import { paths } from '#web/lib/paths.ts'
import { useSession } from '#web/lib/session.ts'
import { followAnswerOf } from '../answers/answers.ts'
import type { AnswerRequest } from '../answers/connection.ts'
import { getRun } from '../answers/runs.ts'
import { focusComposer } from '../composer/focus-composer.ts'
import { sendMessage } from '../outbox/outgoing.ts'
import { useFork } from '../queries.ts'
import { carryOutDeletion, deleteSoon } from '../thread/deletions.ts'
import { threadKey } from '../thread/thread-key.ts'
import { applyAskError } from './ask-error.ts'
import { quote } from './quote.ts'
import { toastBusy } from './toast-busy.ts'

/** What can be done with a message. */
export function useMessageActions(message: Message) {
  const client = useQueryClient()
  const userId = useSession()?.id ?? ''
  const fork = useFork(message.threadId)
  const { id, threadId } = message

  async function ask(request: AnswerRequest) {
    if (getRun(threadId)) return toastBusy()
    await carryOutDeletion(threadId)
    const questionId = message.role === 'user' ? id : (message.parentId ?? id)
    await followAnswerOf(client, { threadId, questionId, request, begun: message.content }).started.catch(
      (error: unknown) => applyAskError(client, threadId, error),
    )
  }

  return {
    regenerate: (modelId?: string) => void ask({ kind: 'regenerate', messageId: id, ...(modelId && { modelId }) }),
    goOn: () => void ask({ kind: 'continue', messageId: id }),
    quote(text: string) {
      drafts().append(draftKey(userId, threadId), { text: `${quote(text)}\n\n`, files: [] })
      focusComposer()
    },
    /** Another version of a question; the old one and its answers stay. */
    editQuestion(content: string) {
      const { parentId, files } = message
      sendMessage({ userId, threadId, content, files, parentId })
    },
    forkHere() {
      fork.mutate(id, {
        onSuccess: (thread) => {
          navigate(paths.thread(thread.id))
          toast.success('Это копия беседы до выбранного места')
        },
      })
    },
    remove() {
      if (getRun(threadId)) return toastBusy()
      const messages = client.getQueryData(threadKey(threadId))?.Messages ?? []
      const place = messages.findIndex((other) => other.id === id)
      deleteSoon(client, threadId, id, messages.length - place - 1)
    },
  }
}
