import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { type Assistant, AssistantDraft, MAX_ASSISTANT_NAME } from '#contract/assistants.ts'
import { assistantDraft, copyName, emptyDraft, type FormDraft } from '#web/features/assistants/assistant-draft.ts'
import { examples } from '#web/features/assistants/examples.ts'
import { AssistantFiles, FirstFiles, readingNote } from '#web/features/assistants/files/assistant-files.tsx'
import { AssistantFields, useAssistantForm } from '#web/features/assistants/form/assistant-fields.tsx'
import {
  assistantLibrary,
  assistantQuery,
  assistantsQuery,
  changeAssistant,
  createAssistant,
  useAssistantEvents,
} from '#web/features/assistants/queries.ts'
import { uploadFiles } from '#web/features/assistants/uploads.ts'
import { callErrorText } from '#web/lib/error-text.ts'
import { message, notify } from '#web/lib/notify.ts'
import { paths } from '#web/lib/paths.ts'
import { FormLoading } from '#web/ui/form/form-loading.tsx'
import { FormShell } from '#web/ui/form/form-shell.tsx'
import { Editor, searchSymbols } from './editor.tsx'

/** Starts from an empty form, an example or a copy of an assistant. */
export default function AssistantCreateScreen() {
  const params = new URLSearchParams(useSearch())
  const copied = params.get('copy')
  const query = useQuery({ ...assistantsQuery, enabled: copied !== null })
  if (copied !== null && !query.data) return <FormLoading query={query} />
  const example = examples.find(({ key }) => key === params.get('example'))
  const original = query.data?.find(({ id }) => id === copied)
  return <CreateForm draft={original ? copyOf(original) : example ? assistantDraft(example, null) : emptyDraft} />
}

const copyOf = (original: Assistant): FormDraft => ({
  ...assistantDraft(original, original.Model?.id ?? null),
  name: copyName(original.name, MAX_ASSISTANT_NAME),
})

function CreateForm({ draft }: { draft: FormDraft }) {
  const [, navigate] = useLocation()
  const client = useQueryClient()
  const started = useStarted()
  const form = useAssistantForm(draft, async (body) => {
    const saved = await started.saved()
    const { id } = saved ? await changeAssistant(client, saved, body) : await createAssistant(client, body)
    navigate(paths.assistants(), { replace: true })
    const action = { label: 'Начать чат', onClick: () => navigate(paths.assistantChat(id)) }
    notify.success({ title: 'Ассистент создан', action })
  })
  const files = started.assistant ? (
    <AssistantFiles assistant={started.assistant} />
  ) : (
    <FirstFiles onFiles={(chosen) => void started.begin(form.draft.name, chosen)} />
  )
  return (
    <Editor
      assistantId={started.id}
      form={form}
      passages={searchSymbols(started.assistant)}
      note={readingNote(started.assistant?.files)}
    >
      {(views) => (
        <FormShell
          views={views}
          title="Новый ассистент"
          back={{ label: 'Ассистенты', href: paths.assistants() }}
          form={{ ...form, isDirty: form.isDirty || started.id !== null }}
          save={{ label: 'Создать ассистента', isNew: true }}
        >
          <AssistantFields form={form} files={files} />
        </FormShell>
      )}
    </Editor>
  )
}

/** The first file saves the assistant, so that its files are read and can be tried before the form is complete. */
function useStarted() {
  const client = useQueryClient()
  const [id, setId] = useState<string | null>(null)
  const creating = useRef<Promise<string | null>>(null)
  const { data } = useQuery({ ...assistantQuery(id ?? ''), enabled: id !== null })
  useAssistantEvents()

  async function begin(name: string, files: File[]) {
    if (files.length === 0) return
    creating.current ??= create(name)
    const made = await creating.current
    setId(made)
    if (made) uploadFiles(client, assistantLibrary(made), files)
    else creating.current = null
  }

  function create(name: string): Promise<string | null> {
    const body = AssistantDraft.parse({ name: name.trim().slice(0, MAX_ASSISTANT_NAME) || 'Новый ассистент' })
    return createAssistant(client, body).then(
      (made) => made.id,
      (error: unknown) => {
        message.error(callErrorText(error))
        return null
      },
    )
  }

  return { id, assistant: data, begin, saved: async () => (await creating.current) ?? null }
}
