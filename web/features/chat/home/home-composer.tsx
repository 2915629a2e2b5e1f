import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Model } from '#contract/models.ts'
import type { Message } from '#contract/threads.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { useProfile, useUpdateProfile } from '#web/features/users/queries.ts'
import { newId } from '#web/lib/new-id.ts'
import { useSession } from '#web/lib/session.ts'
import { Composer } from '../composer/composer.tsx'
import { usualModel } from '../composer/model-words.ts'
import { sendMessage } from '../outbox/outgoing.ts'

interface HomeComposerProps {
  assistantId: string | null
  onBegin: (threadId: string) => void
}

const nothing: Message[] = []

/** The first message begins a thread: its id is made here, so one is there before the server knows of it. */
export function HomeComposer({ assistantId, onBegin }: HomeComposerProps) {
  const userId = useSession()?.id ?? ''
  const { data: models } = useQuery(modelsQuery)
  const { data: profile } = useProfile()
  const { mutate: update } = useUpdateProfile()
  const settingId = profile?.Settings.threadModel
  // One that draws is meant for this once; the setting stays with those that speak.
  const [drawing, setDrawing] = useState<Model | null>(null)
  const chosen = useMemo(() => {
    if (drawing) return { model: drawing, name: drawing.name }
    return models && settingId !== undefined ? usualModel(models, settingId) : undefined
  }, [models, settingId, drawing])

  function chooseModel(model: Model) {
    setDrawing(model.kind === 'image' ? model : null)
    if (model.kind === 'text') update({ Settings: { threadModel: model.id } })
  }

  return (
    <Composer
      threadId={null}
      chosen={chosen}
      history={nothing}
      isAnswering={false}
      onStop={() => undefined}
      onChooseModel={chooseModel}
      onSend={({ text, files }) => {
        const threadId = newId()
        const newThread = { modelId: chosen?.model?.id ?? null, assistantId }
        sendMessage({ userId, threadId, content: text, files, newThread })
        onBegin(threadId)
      }}
    />
  )
}
