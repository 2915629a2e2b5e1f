import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { navigate } from 'wouter/use-browser-location'
import { ApiError } from '#contract/errors.ts'
import type { Message } from '#contract/threads.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { formatNumber, plural } from '#web/lib/format.ts'
import { message, notify, message as toast } from '#web/lib/notify.ts'
import { paths } from '#web/lib/paths.ts'
import { useSession } from '#web/lib/session.ts'
import { isPendingRemoval, undoable } from '#web/lib/undoable.ts'
import { startAnswerRun } from '../answers/answer-run.ts'
import type { AnswerRequest } from '../answers/answer-stream.ts'
import { pricedFor } from '../composer/estimate.ts'
import { focusComposer } from '../composer/focus-composer.ts'
import { spend } from '../composer/spend-consent.ts'
import { asRequested, thinkingChoice } from '../composer/thinking-choice.ts'
import { asWebRequest } from '../composer/use-web-options.ts'
import { searchPrice, webChoice } from '../composer/web-choice.ts'
import { deleteMessage, useFork } from '../queries.ts'
import { sendMessage } from '../sending/send.ts'
import { draftKey, drafts } from '../state/drafts.ts'
import { rememberOutOfSymbols } from '../state/out-of-symbols.ts'
import { noteDeletion, pendingDeletion } from '../state/pending-deletions.ts'
import { getRun } from '../state/runs.ts'
import { threadKey } from '../state/thread-data.ts'
import { costOfRest, costToRepeat } from './again-cost.ts'
import { costToContinue, requestedWeb } from './answer-cost.ts'
import { answerTo, costOfEdit, webOfEdit } from './edit-cost.ts'
import { type AgainChange, againContext, changedImage } from './use-prices.ts'

export function useMessageActions(message: Message) {
  const client = useQueryClient()
  const userId = useSession()?.id ?? ''
  const fork = useFork(message.threadId)
  const { id, threadId } = message

  async function ask(request: AnswerRequest) {
    if (getRun(threadId)) return notifyAnswerRunning()
    await pendingDeletion(threadId)?.finish()
    const questionId = message.role === 'user' ? id : (message.parentId ?? id)
    await startAnswerRun(client, { threadId, questionId, request, known: message }).started.catch((error: unknown) =>
      showRequestError(client, message, request, error),
    )
  }

  const asChosen = () => asRequested(thinkingChoice(userId, threadId))
  const asNext = () => asWebRequest({ search: webChoice(userId, threadId).search, pages: [] })
  const asBefore = (modelId?: string) => (message.role === 'user' ? asNext() : webAsBefore(client, message, modelId))
  const asks = { threadId, what: 'Этот ответ', action: 'Ответить заново' }

  return {
    /** `change` overrides the model and the thinking of the chat; with `asIs` personal data is not hidden. */
    regenerate(change: AgainChange & { asIs?: boolean } = {}) {
      const context = againContext(client, userId, message, change)
      const request = { ...asChosen(), ...asBefore(change.modelId), ...change }
      const known = message.role === 'user' ? { ...message, web: null } : message
      const price = context && costToRepeat(known, context)
      spend(client, { ...asks, price }, () => void ask({ kind: 'regenerate', messageId: id, ...request }))
    },
    continueAnswer() {
      const context = againContext(client, userId, message)
      const price = context && costOfRest(message, context)
      const request = { kind: 'continue' as const, messageId: id, ...asChosen() }
      spend(client, { ...asks, what: 'Продолжение', action: 'Продолжить', price }, () => void ask(request))
    },
    quote(text: string) {
      drafts().append(draftKey(userId, threadId), { text: `${quote(text)}\n\n`, files: [] })
      focusComposer()
    },
    /** The price of another version of a question, which searches as the first one did; null when it is not known. */
    priceOfEdit: (content: string) => costOfEdit(client, userId, message, content),
    /** Sends another version of a question; the old one and its answers stay. `onSent` is called once it may be sent. */
    editQuestion(content: string, onSent: () => void) {
      const { parentId, files, imageId } = message
      const again = answerTo(client, message)?.web ? webOfEdit(client, message, content) : asNext()
      const price = costOfEdit(client, userId, message, content)
      spend(client, { ...asks, what: 'Этот вопрос', action: 'Отправить', price }, () => {
        onSent()
        sendMessage(client, {
          ...{ userId, threadId, content, files, parentId },
          ...asChosen(),
          ...again,
          ...(imageId && { imageId }),
        })
      })
    },
    forkHere() {
      fork.mutate(id, {
        onSuccess: (thread) => {
          navigate(paths.thread(thread.id))
          toast.success('Это копия чата до выбранного места')
        },
      })
    },
    remove() {
      if (getRun(threadId)) return notifyAnswerRunning()
      const messages = client.getQueryData(threadKey(threadId))?.Messages ?? []
      const index = messages.findIndex((other) => other.id === id)
      deleteWithUndo(client, message, messages.length - index - 1)
    },
  }
}

/** Hides a message with the `following` messages after it and deletes them unless it is undone. */
function deleteWithUndo(client: QueryClient, { id, threadId, parentId }: Message, following: number): void {
  void pendingDeletion(threadId)?.finish()
  const finish = undoable({
    id,
    title: deletionLabel(following),
    action: () => deleteMessage(client, threadId, id),
    failed: 'Не удалось удалить сообщение',
  })
  noteDeletion(threadId, { parentId, isPending: () => isPendingRemoval(id), finish })
}

function deletionLabel(following: number): string {
  if (following === 0) return 'Сообщение удалено'
  return `Удалено ${formatNumber(following + 1)} ${plural(following + 1, 'сообщение', 'сообщения', 'сообщений')}`
}

/** Requests the search and the pages of this answer again, which are charged again; not for an image model. */
function webAsBefore(client: QueryClient, { web, threadId, parentId }: Message, modelId?: string) {
  const requested = requestedWeb(web)
  const thread = client.getQueryData(threadKey(threadId))
  const wanted = modelId ?? thread?.Model?.id
  const model = client.getQueryData(modelsQuery.queryKey)?.find(({ id }) => id === wanted)
  if (!requested || model?.kind === 'image') return {}
  const question = thread?.Messages.find(({ id }) => id === parentId)
  // An edited question may no longer contain the address.
  const pages = requested.pages.filter((page) => question?.content.includes(page) !== false)
  return asWebRequest({ search: searchPrice() === null ? false : requested.search, pages })
}

/** Another answer was requested and did not start: the question stays as it was. */
function showRequestError(client: QueryClient, source: Message, request: AnswerRequest, error: unknown): void {
  if (error instanceof ApiError && error.code === 'out_of_symbols') {
    rememberOutOfSymbols(client, source.threadId, error.message, leastFor(client, source, request))
    return
  }
  notify.error({ title: callErrorText(error) })
}

/** The least price of the rejected request; null when it is not known. */
function leastFor(client: QueryClient, source: Message, request: AnswerRequest): number | null {
  const thread = client.getQueryData(threadKey(source.threadId))
  const wanted = (request.kind === 'regenerate' ? request.modelId : undefined) ?? thread?.Model?.id ?? source.modelId
  const model = client.getQueryData(modelsQuery.queryKey)?.find(({ id }) => id === wanted)
  if (!model) return null
  if (request.kind === 'continue') return source.parts && costToContinue(source, model)
  const priced = pricedFor(model, changedImage(client, source))
  const context = { model: priced, thinking: 'usual' as const, usualCosts: undefined, searchPrice: searchPrice() ?? 0 }
  return costToRepeat({ ...source, output: 0 }, context)?.least ?? null
}

export function notifyAnswerRunning(): void {
  message.error('Ответ ещё пишется. Дождитесь конца или остановите его.')
}

export function quote(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')
}
