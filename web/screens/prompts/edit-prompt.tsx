import type { Prompt } from '#contract/prompts.ts'
import { PromptForm } from '#web/features/prompts/prompt-form.tsx'
import { useChangePrompt } from '#web/features/prompts/queries.ts'
import { message } from '#web/lib/notify.ts'
import { useSession } from '#web/lib/session.ts'
import { Button } from '#web/ui/button.tsx'

interface EditPromptProps {
  prompt: Prompt
  onDone: () => void
}

/** The version is sent along, so that a change made meanwhile is not overwritten. */
export function EditPrompt({ prompt, onDone }: EditPromptProps) {
  const { id, version, title, content, description, category, published } = prompt
  const change = useChangePrompt(id)
  const canPublish = useSession()?.role === 'admin'
  return (
    <>
      <h1 className="mb-6 text-2xl font-semibold">Изменить промпт</h1>
      <PromptForm
        initial={{ title, content, description, category, published }}
        canPublish={canPublish}
        call={{
          ...change,
          mutate: ({ published: isPublic, ...words }) =>
            change.mutate(
              { ...words, version, ...(canPublish && { published: isPublic }) },
              {
                onSuccess: () => {
                  message.success('Промпт сохранён')
                  onDone()
                },
              },
            ),
        }}
        saveLabel="Сохранить изменения"
        cancel={
          <Button variant="ghost" onClick={onDone}>
            Отменить
          </Button>
        }
      />
    </>
  )
}
