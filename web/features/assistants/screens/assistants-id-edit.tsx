import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import type { Assistant } from '#contract/assistants.ts'
import { assistantDraft } from '#web/features/assistants/assistant-draft.ts'
import { AssistantFiles, readingNote } from '#web/features/assistants/files/assistant-files.tsx'
import { AssistantFields, useAssistantForm } from '#web/features/assistants/form/assistant-fields.tsx'
import { assistantQuery, changeAssistant, useAssistantEvents } from '#web/features/assistants/queries.ts'
import { message } from '#web/lib/notify.ts'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { FormLoading, ItemNotFound } from '#web/ui/form/form-loading.tsx'
import { FormShell } from '#web/ui/form/form-shell.tsx'
import { MessageSquarePlus } from '#web/ui/icons.ts'
import { Editor, searchSymbols } from './editor.tsx'

const back = { label: 'Ассистенты', href: paths.assistants() }

export default function AssistantEditScreen({ params }: { params: Record<string, string> }) {
  const query = useQuery(assistantQuery(params.id ?? ''))
  useAssistantEvents()
  if (query.data === undefined) return <FormLoading query={query} />
  if (query.data === null)
    return <ItemNotFound title="Такого ассистента нет" back={{ ...back, label: 'К ассистентам' }} />
  return <EditForm key={query.data.id} assistant={query.data} />
}

function EditForm({ assistant }: { assistant: Assistant }) {
  const [, navigate] = useLocation()
  const client = useQueryClient()
  const { id, name, modelId, files } = assistant
  const form = useAssistantForm(assistantDraft(assistant, modelId), async (body) => {
    await changeAssistant(client, id, body)
    message.success('Ассистент сохранён')
    navigate(paths.assistants(), { replace: true })
  })
  return (
    <Editor assistantId={id} form={form} passages={searchSymbols(assistant)} note={readingNote(files)}>
      {(views) => (
        <FormShell
          views={views}
          title={name}
          back={back}
          form={form}
          save={{ label: 'Сохранить', isNew: false }}
          aside={
            <ButtonLink href={paths.assistantChat(id)} icon={<MessageSquarePlus size={18} />}>
              Начать чат
            </ButtonLink>
          }
        >
          <AssistantFields form={form} saved={assistant} files={<AssistantFiles assistant={assistant} />} />
        </FormShell>
      )}
    </Editor>
  )
}
