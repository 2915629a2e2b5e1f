import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { type Assistant, MAX_ASSISTANT_NAME } from '#contract/assistants.ts'
import { assistantDraft, copyName, emptyDraft, type FormDraft } from '#web/features/assistants/assistant-draft.ts'
import { examples } from '#web/features/assistants/examples.ts'
import { ChosenFiles } from '#web/features/assistants/files/assistant-files.tsx'
import { AssistantFields, useAssistantForm } from '#web/features/assistants/form/assistant-fields.tsx'
import { assistantsQuery, createAssistant } from '#web/features/assistants/queries.ts'
import { uploadFiles } from '#web/features/assistants/uploads.ts'
import { message } from '#web/lib/notify.ts'
import { paths } from '#web/lib/paths.ts'
import { FormLoading } from '#web/ui/form/form-loading.tsx'
import { FormShell } from '#web/ui/form/form-shell.tsx'
import { Editor } from './assistants/editor.tsx'

/** Starts from an empty form, an example or a copy of an assistant. */
export function AssistantCreateScreen() {
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
  const [files, setFiles] = useState<File[]>([])
  const form = useAssistantForm(draft, async (body) => {
    const { id } = await createAssistant(client, body)
    uploadFiles(client, id, files)
    message.success('Ассистент создан')
    navigate(paths.assistants(), { replace: true })
  })
  const note = files.length > 0 ? 'Файлы можно будет попробовать после сохранения.' : undefined
  return (
    <Editor assistantId={null} form={form} note={note}>
      <FormShell
        title="Новый ассистент"
        back={{ label: 'Ассистенты', href: paths.assistants() }}
        form={{ ...form, isDirty: form.isDirty || files.length > 0 }}
        save={{ label: 'Создать ассистента', isNew: true }}
      >
        <AssistantFields form={form} files={<ChosenFiles files={files} onChange={setFiles} />} />
      </FormShell>
    </Editor>
  )
}
