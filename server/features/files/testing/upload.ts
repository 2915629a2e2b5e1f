import { setTimeout as sleep } from 'node:timers/promises'
import { Attachment, filesApi } from '#contract/files.ts'
import type { Visitor } from '#server/testing/visitor.ts'

export const send = (who: Visitor, name: string, content: string | Uint8Array): Promise<Response> => {
  const form = new FormData()
  form.set('file', new File([typeof content === 'string' ? content : new Uint8Array(content)], name))
  return who.fetch(filesApi.upload.path, { method: 'POST', body: form })
}

export async function uploadAndWait(who: Visitor, name: string, content: string | Uint8Array): Promise<Attachment> {
  const response = await send(who, name, content)
  if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`)
  return settled(who, Attachment.parse(await response.json()))
}

async function settled(who: Visitor, file: Attachment): Promise<Attachment> {
  if (file.state === 'ready' || file.state === 'failed') return file
  await sleep(300)
  return settled(who, await who.call(filesApi.get, { params: { id: file.id } }))
}

const BOUNDARY = 'boundary-of-a-stream'

/** A body that is generated while it is read; `sent` counts how much of it was read. */
export function streamed(head: Uint8Array, bytes: number, failAt = Number.POSITIVE_INFINITY) {
  const chunk = new Uint8Array(64 * 1024)
  const sent = { bytes: 0, isLeft: false }
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) =>
        controller.enqueue(
          Buffer.concat([
            Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="big.pdf"\r\n\r\n`),
            head,
          ]),
        ),
      pull: (controller) => {
        if (sent.bytes >= failAt) return controller.error(new Error('socket hang up'))
        if (sent.bytes < bytes) {
          sent.bytes += chunk.length
          return controller.enqueue(chunk)
        }
        controller.enqueue(Buffer.from(`\r\n--${BOUNDARY}--\r\n`))
        return controller.close()
      },
      cancel: () => {
        sent.isLeft = true
      },
    },
    { highWaterMark: 0 },
  )
  return { body, sent }
}

export const sendStream = (who: Visitor, body: ReadableStream<Uint8Array>): Promise<Response> =>
  who.fetch(filesApi.upload.path, {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    body,
    duplex: 'half',
  } as RequestInit)
