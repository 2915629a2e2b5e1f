import { useLocation } from 'wouter'
import { OTHER_CATEGORY } from '#contract/prompts.ts'
import { PromptForm } from '#web/features/prompts/prompt-form.tsx'
import { useCreatePrompt } from '#web/features/prompts/queries.ts'
import { message } from '#web/lib/notify.ts'
import { paths } from '#web/lib/paths.ts'
import { useSession } from '#web/lib/session.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { ButtonLink } from '#web/ui/button.tsx'

const empty = { title: '', content: '', description: '', category: OTHER_CATEGORY, published: false }

export default function PromptAddScreen() {
  const [, navigate] = useLocation()
  const create = useCreatePrompt()
  const canPublish = useSession()?.role === 'admin'
  return (
    <>
      <div className="mb-1">
        <BackLink href={paths.prompts()}>Промпты</BackLink>
      </div>
      <h1 className="mb-6 text-2xl font-semibold">Новый промпт</h1>
      <PromptForm
        initial={empty}
        canPublish={canPublish}
        call={{
          ...create,
          mutate: (draft) =>
            create.mutate(draft, {
              onSuccess: ({ id }) => {
                message.success('Промпт сохранён')
                navigate(paths.prompt(id))
              },
            }),
        }}
        saveLabel="Сохранить промпт"
        cancel={
          <ButtonLink href={paths.prompts()} variant="ghost">
            Отменить
          </ButtonLink>
        }
      />
    </>
  )
}
