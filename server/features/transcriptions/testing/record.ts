import { Transcription, transcriptionsApi, UploadProgress } from '#contract/transcriptions.ts'
import type { TestApp } from '#server/testing/app.ts'
import type { Visitor } from '#server/testing/visitor.ts'

export function sendRecording(
  who: Visitor,
  bytes: Uint8Array,
  options: Record<string, string> = {},
  name = 'Совещание.wav',
): Promise<Response> {
  const form = new FormData()
  form.set('file', new File([new Uint8Array(bytes)], name))
  for (const [field, value] of Object.entries(options)) form.set(field, value)
  return who.fetch(transcriptionsApi.create.path, { method: 'POST', body: form })
}

export async function uploadRecording(...recording: Parameters<typeof sendRecording>): Promise<Transcription> {
  const response = await sendRecording(...recording)
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return Transcription.parse(await response.json())
}

export async function uploadAndTranscribe(
  app: TestApp,
  ...recording: Parameters<typeof sendRecording>
): Promise<Transcription> {
  const { id } = await uploadRecording(...recording)
  return settled(app, recording[0], id)
}

export async function settled(app: TestApp, who: Visitor, id: string): Promise<Transcription> {
  await app.transcriptions.transcriptionQueue.idle()
  return who.call(transcriptionsApi.get, { params: { id } })
}

export async function putChunk(who: Visitor, id: string, offset: number, bytes: Uint8Array): Promise<Response> {
  return who.fetch(`/api/transcriptions/uploads/${id}?offset=${offset}`, {
    method: 'PUT',
    body: new Uint8Array(bytes),
    headers: { 'content-type': 'application/octet-stream' },
  })
}

export const uploadedIn = async (response: Response) => UploadProgress.parse(await response.json())
