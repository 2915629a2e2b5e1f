import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Message, ThreadAssistant } from '#contract/threads.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { useProfile, useUpdateProfile } from '#web/features/users/queries.ts'
import { newId } from '#web/lib/new-id.ts'
import { useSession } from '#web/lib/session.ts'
import { Composer } from '../composer/composer.tsx'
import { usualModel } from '../composer/model-words.ts'
import { sendMessage } from '../outbox/outgoing.ts'

interface HomeComposerProps {
  /** Whom the chat will be with, and the model it begins with. */
  assistant?: (Pick<ThreadAssistant, 'id' | 'symbols'> & { modelId: string | null }) | undefined
  onBegin: (threadId: string) => void
}

const nothing: Message[] = []

/** The first message begins a thread: its id is made here, so one is there before the server knows of it. */
export function HomeComposer({ assistant, onBegin }: HomeComposerProps) {
  const userId = useSession()?.id ?? ''
  const { data: models } = useQuery(modelsQuery)
  const { data: profile } = useProfile()
  const { mutate: update } = useUpdateProfile()
  const settingId = profile?.Settings.threadModel
  // With an assistant another model is meant for this chat alone.
  const [otherId, setOtherId] = useState<string | null>(null)
  const wantedId = assistant ? (otherId ?? assistant.modelId ?? settingId) : settingId
  const chosen = useMemo(
    () => (models && wantedId !== undefined ? usualModel(models, wantedId) : undefined),
    [models, wantedId],
  )
  return (
    <Composer
      threadId={null}
      chosen={chosen}
      history={nothing}
      added={assistant?.symbols ?? null}
      isAnswering={false}
      onStop={() => undefined}
      onChooseModel={({ id }) => (assistant ? setOtherId(id) : update({ Settings: { threadModel: id } }))}
      onSend={({ text, files }) => {
        const threadId = newId()
        const newThread = { modelId: chosen?.model?.id ?? null, assistantId: assistant?.id ?? null }
        sendMessage({ userId, threadId, content: text, files, newThread })
        onBegin(threadId)
      }}
    />
  )
}
