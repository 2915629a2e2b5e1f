import { failed } from '#contract/call.ts'
import { ApiError } from '#contract/errors.ts'
import { Attachment } from '#contract/files.ts'

interface Sending {
  /** Fails with a sentence for whoever sends. Never ends once it was called off. */
  sent: Promise<Attachment>
  abort: () => void
}

/** Sends a file as a form does, and says how far it has come: fetch cannot tell that. */
export function sendFile(path: string, file: File, onShare: (share: number) => void): Sending {
  const request = new XMLHttpRequest()
  const sent = new Promise<Attachment>((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onShare(total > 0 ? loaded / total : 0)
    request.onerror = () => reject(new Error('Нет связи. Файл не загрузился.'))
    request.onload = () => {
      try {
        resolve(readAnswer(request))
      } catch (error) {
        reject(error instanceof ApiError ? error : new Error('Файл не загрузился.'))
      }
    }
  })
  const form = new FormData()
  form.append('file', file)
  request.open('POST', path)
  request.setRequestHeader('accept', 'application/json')
  request.send(form)
  return { sent, abort: () => request.abort() }
}

function readAnswer({ status, responseText }: XMLHttpRequest): Attachment {
  const answer: unknown = JSON.parse(responseText || 'null')
  if (status < 200 || status >= 300) throw failed(status, answer)
  return Attachment.parse(answer)
}
