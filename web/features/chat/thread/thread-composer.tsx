import { useQuery, useQueryClient } from '@tanstack/react-query'
import { memo, useMemo } from 'react'
import { modelsQuery } from '#web/features/models/queries.ts'
import { useProfile } from '#web/features/users/queries.ts'
import { useSession } from '#web/lib/session.ts'
import { stopAnswer } from '../answers/answer-run.ts'
import { addedBy } from '../composer/added-by.ts'
import { Composer } from '../composer/composer.tsx'
import { defaultModel, findThreadModel, modelsIn } from '../composer/model-labels.ts'
import { sentHistory } from '../composer/sent-history.ts'
import { useChangeThread } from '../queries.ts'
import { sendMessage } from '../sending/send.ts'
import { outbox, useOutbox } from '../state/outbox.ts'
import type { ThreadData } from '../state/thread-data.ts'

interface ThreadComposerProps {
  data: ThreadData
  isAnswering: boolean
}

/** Memoized, so that it is not rendered with every word of an answer: the price is updated when the answer ends. */
export const ThreadComposer = memo(function ThreadComposer({ data, isAnswering }: ThreadComposerProps) {
  const { id: threadId, Model } = data
  const client = useQueryClient()
  const userId = useSession()?.id ?? ''
  const { data: models } = useQuery(modelsQuery)
  const { mutate: change } = useChangeThread(threadId)
  const country = data.Assistant?.country ?? data.Project?.country ?? null
  const { data: profile } = useProfile()
  const unsaved = useOutbox().find((item) => item.threadId === threadId && item.newThread)
  const settingId = profile?.Settings.threadModel ?? null
  const chosen = useMemo(() => {
    if (!models) return
    const able = modelsIn(models, country)
    // The server gives a chat that does not exist yet the usual model.
    return unsaved && !Model
      ? defaultModel(able, unsaved.newThread?.modelId ?? settingId)
      : findThreadModel(able, Model)
  }, [models, Model, country, unsaved, settingId])
  const { history, summary } = useMemo(() => sentHistory(data, profile?.Settings), [data, profile?.Settings])
  const { Assistant, Project } = data
  const added = useMemo(() => addedBy({ Assistant, Project }), [Assistant, Project])
  return (
    <Composer
      threadId={threadId}
      chosen={chosen}
      history={history}
      summary={summary?.symbols ?? 0}
      added={added}
      country={country}
      isAnswering={isAnswering}
      onStop={() => stopAnswer(threadId)}
      onChooseModel={({ id, name }) => {
        if (unsaved?.newThread) outbox().update(unsaved.id, { newThread: { ...unsaved.newThread, modelId: id } })
        else change({ body: { Model: { connect: { id } } }, shown: { Model: { id, name }, movedFrom: null } })
      }}
      onSend={({ text, files, ...options }, asIs) =>
        sendMessage(client, { userId, threadId, content: text, files, ...options, ...(asIs && { asIs }) })
      }
    />
  )
}, isSameField)

function isSameField(before: ThreadComposerProps, now: ThreadComposerProps): boolean {
  const isSameThread =
    before.data.id === now.data.id &&
    before.data.Model === now.data.Model &&
    before.data.Assistant === now.data.Assistant &&
    before.data.Project === now.data.Project
  return isSameThread && before.isAnswering === now.isAnswering && (now.isAnswering || before.data === now.data)
}
