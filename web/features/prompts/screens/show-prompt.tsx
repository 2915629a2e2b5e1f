import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Prompt } from '#contract/prompts.ts'
import { History } from '#web/features/prompts/history.tsx'
import { type PromptAction, PromptHead, PromptMenu } from '#web/features/prompts/prompt-head.tsx'
import { useDeletePrompt, useDuplicate, useSaveShared, useUndelete } from '#web/features/prompts/queries.ts'
import { ShareDialog } from '#web/features/prompts/share-dialog.tsx'
import { UseButtons } from '#web/features/prompts/use-buttons.tsx'
import { VariableForm } from '#web/features/prompts/variable-form.tsx'
import { keepInView } from '#web/lib/keep-in-view.ts'
import { message, notify } from '#web/lib/notify.ts'
import { paths } from '#web/lib/paths.ts'
import { useSession } from '#web/lib/session.ts'
import { useScreenSearch } from '#web/lib/url-state.ts'
import { Button } from '#web/ui/button.tsx'
import { Callout } from '#web/ui/callout.tsx'
import { Pencil } from '#web/ui/icons.ts'
import { usePutIntoChat } from './use-prompt.tsx'

interface ShowPromptProps {
  prompt: Prompt
  isHistoryShown: boolean
  onEdit: () => void
  onHistory: (isShown: boolean) => void
}

export function ShowPrompt({ prompt, isHistoryShown, onEdit, onHistory }: ShowPromptProps) {
  const { id, version, content, own, canEdit } = prompt
  const isAdmin = useSession()?.role === 'admin'
  const isManaged = own || isAdmin
  const { hasOpenChat, putIntoChat } = usePutIntoChat()
  const [isSharing, setSharing] = useState(false)
  const actions = useActions(prompt)
  const action: Record<PromptAction, () => void> = {
    ...actions,
    edit: onEdit,
    share: () => setSharing(true),
    history: () => onHistory(!isHistoryShown),
  }
  return (
    <>
      <PromptHead
        prompt={prompt}
        menu={<PromptMenu prompt={prompt} isManaged={isManaged} onAction={(name) => action[name]()} />}
      />
      {!prompt.inLibrary && <KeepOffer promptId={id} />}
      <VariableForm
        key={version}
        content={content}
        onFill={(text) => putIntoChat(id, text, 'new')}
        actions={(fill) => (
          <>
            {canEdit && (
              <Button variant="ghost" className="mr-auto" icon={<Pencil size={18} />} onClick={onEdit}>
                Изменить
              </Button>
            )}
            <UseButtons
              fill={fill}
              hasOpenChat={hasOpenChat}
              onUse={(text, destination) => putIntoChat(id, text, destination)}
            />
          </>
        )}
      />
      {isManaged && isHistoryShown && (
        <HistorySection>
          <History promptId={id} canRestore={canEdit} />
        </HistorySection>
      )}
      {isSharing && <ShareDialog prompt={prompt} onClose={() => setSharing(false)} />}
    </>
  )
}

/** Another user's prompt is added to the library only by a click. */
function KeepOffer({ promptId }: { promptId: string }) {
  const [search] = useScreenSearch()
  const keep = useSaveShared(promptId)
  const share = search.get('share') ?? ''
  return (
    <div className="mb-6">
      <Callout
        tone="info"
        title="Этот промпт вам прислали по ссылке"
        action={
          <Button
            size="sm"
            busy={keep.isPending}
            onClick={() => keep.mutate(share, { onSuccess: () => message.success('Промпт добавлен в библиотеку') })}
          >
            Добавить в библиотеку
          </Button>
        }
      >
        Попробуйте его здесь. В библиотеке он останется, пока ссылка открыта.
      </Callout>
    </div>
  )
}

/** It is below the form, so it is scrolled into view when opened. */
function HistorySection({ children }: { children: ReactNode }) {
  const section = useRef<HTMLElement>(null)
  useEffect(() => (section.current ? keepInView(section.current) : undefined), [])
  return (
    <section ref={section} aria-label="История изменений" className="mt-10 scroll-mt-20">
      <h2 className="mb-3 text-lg font-semibold">История изменений</h2>
      {children}
    </section>
  )
}

function useActions({ id, title }: Prompt) {
  const [, navigate] = useLocation()
  const copy = useDuplicate()
  const remove = useDeletePrompt()
  const undelete = useUndelete()
  return {
    duplicate: () =>
      copy.mutate(id, {
        onSuccess: (made) => {
          message.success('Копия сохранена в ваших промптах')
          navigate(paths.prompt(made.id))
        },
      }),
    delete: () =>
      remove.mutate(id, {
        onSuccess: () => {
          navigate(paths.prompts())
          notify.success({
            title: `Промпт «${title}» удалён`,
            action: { label: 'Отменить', onClick: () => undelete.mutate(id) },
          })
        },
      }),
  }
}
