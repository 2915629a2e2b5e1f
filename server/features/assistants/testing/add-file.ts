import { setTimeout as sleep } from 'node:timers/promises'
import { type AssistantFile, assistantsApi } from '#contract/assistants.ts'
import { fillPath } from '#contract/endpoint.ts'
import { Attachment } from '#contract/files.ts'
import { projectsApi } from '#contract/projects.ts'
import type { Visitor } from '#server/testing/visitor.ts'

type LibraryApi = typeof assistantsApi | typeof projectsApi

export const addFile = (
  who: Visitor,
  id: string,
  name: string,
  content: string | Uint8Array,
  api: LibraryApi = assistantsApi,
): Promise<Response> => {
  const form = new FormData()
  form.set('file', new File([typeof content === 'string' ? content : new Uint8Array(content)], name))
  return who.fetch(fillPath(api.addFile.path, { id }), { method: 'POST', body: form })
}

export async function addFileAndWait(
  who: Visitor,
  id: string,
  name: string,
  content: string | Uint8Array,
  api: LibraryApi = assistantsApi,
) {
  const response = await addFile(who, id, name, content, api)
  if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`)
  return settled(who, id, Attachment.parse(await response.json()), api)
}

export async function settled(who: Visitor, id: string, file: AssistantFile, api: LibraryApi): Promise<AssistantFile> {
  if (file.state === 'ready' || file.state === 'failed') return file
  await sleep(30)
  const { files } =
    api === projectsApi
      ? await who.call(projectsApi.get, { params: { id } })
      : await who.call(assistantsApi.get, { params: { id } })
  const now = files.find((one) => one.id === file.id)
  if (!now) throw new Error(`${file.name} is gone`)
  return settled(who, id, now, api)
}
