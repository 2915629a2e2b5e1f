import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useMemo, useState } from 'react'
import type { Model } from '#contract/models.ts'
import type { Message, ThreadAssistant } from '#contract/threads.ts'
import { modelsQuery } from '#web/features/models/queries.ts'
import { useProfile, useUpdateProfile } from '#web/features/users/queries.ts'
import { Late, lazy } from '#web/lib/lazy.tsx'
import { newId } from '#web/lib/new-id.ts'
import { useSession } from '#web/lib/session.ts'
import { Composer } from '../composer/composer.tsx'
import { defaultModel, modelsIn } from '../composer/model-labels.ts'
import { chooseThinking } from '../composer/thinking-choice.ts'
import { afterSending } from '../composer/web-choice.ts'
import { forgetQuestionDraft, questionDraft, questionIds } from '../pending-question/question-draft.ts'
import { sendMessage } from '../sending/send.ts'
import { NEW_CHAT, useOutOfSymbols } from '../state/out-of-symbols.ts'

interface HomeComposerProps {
  /** The assistant of the new chat, and the model it starts with. */
  assistant?: (Pick<ThreadAssistant, 'id' | 'symbols' | 'country'> & { modelId: string | null }) | undefined
  onBegin: (threadId: string) => void
}

const nothing: Message[] = []
const outOfSymbolsNotice = lazy(async () => (await import('../messages/out-of-symbols-card.tsx')).OutOfSymbolsNotice)
const questionNote = lazy(async () => (await import('../pending-question/question-note.tsx')).QuestionNote)
const temporaryHint = lazy(async () => (await import('./temporary-hint.tsx')).TemporaryHint)

/** The id of the thread is created here, so that its page can open before the server knows the thread. */
export function HomeComposer({ assistant, onBegin }: HomeComposerProps) {
  const client = useQueryClient()
  const userId = useSession()?.id ?? ''
  const { data: models } = useQuery(modelsQuery)
  const { data: profile } = useProfile()
  const { mutate: update } = useUpdateProfile()
  const settingId = profile?.Settings.threadModel
  // A model chosen with an assistant, or an image model, is used for this chat only: the setting stays.
  const [other, setOther] = useState<Model | null>(null)
  const [isTemporary, setTemporary] = useState(false)
  const country = assistant?.country ?? null
  const question = questionDraft(userId)
  // A question that the balance did not pay for is in the field again, and no chat was begun.
  const isRejected = useOutOfSymbols(NEW_CHAT) !== undefined
  const wantedId = assistant?.modelId ?? settingId
  const chosen = useMemo(() => {
    if (other) return { model: other, name: other.name }
    return models && wantedId !== undefined ? defaultModel(modelsIn(models, country), wantedId) : undefined
  }, [models, wantedId, other, country])

  function chooseModel(model: Model) {
    const isForNow = assistant !== undefined || model.kind === 'image'
    setOther(isForNow ? model : null)
    if (!isForNow) update({ Settings: { threadModel: model.id } })
  }

  return (
    <>
      {isRejected && <Late component={outOfSymbolsNotice} props={{ threadId: NEW_CHAT }} />}
      {question && <Late component={questionNote} props={{ userId, question }} />}
      <Composer
        threadId={null}
        chosen={chosen}
        history={nothing}
        added={assistant?.symbols ?? null}
        country={country}
        temporary={{ isOn: isTemporary, onChange: setTemporary }}
        isAnswering={false}
        onStop={() => undefined}
        onChooseModel={chooseModel}
        onSend={({ text, files, ...options }, asIs) => {
          const ids = questionIds(question, text)
          const threadId = ids?.threadId ?? newId()
          const newThread = {
            modelId: chosen?.model?.id ?? null,
            assistantId: assistant?.id ?? null,
            ...(isTemporary && { temporary: true }),
          }
          afterSending(userId, null, threadId)
          sendMessage(client, {
            userId,
            threadId,
            content: text,
            files,
            ...options,
            newThread,
            ...(asIs && { asIs }),
            ...ids,
          })
          forgetQuestionDraft(userId)
          chooseThinking(userId, threadId, options.thinking ?? 'usual')
          onBegin(threadId)
        }}
      />
      <TemporarySwitch isOn={isTemporary} onChange={setTemporary} />
    </>
  )
}

/** On a phone the menu behind «+» has the switch. */
function TemporarySwitch({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  const hintId = useId()
  return (
    <div className="px-2 text-[13px] text-muted">
      <label className="flex min-h-11 w-fit cursor-pointer items-center gap-2 max-sm:hidden frame:min-h-8">
        <input
          type="checkbox"
          role="switch"
          aria-checked={isOn}
          aria-describedby={isOn ? hintId : undefined}
          checked={isOn}
          onChange={(event) => onChange(event.target.checked)}
          className="size-4 accent-accent"
        />
        Временный чат
      </label>
      {isOn && <Late component={temporaryHint} props={{ id: hintId }} />}
    </div>
  )
}
