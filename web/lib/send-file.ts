import { apiErrorOf } from '#contract/call.ts'
import { ApiError } from '#contract/errors.ts'
import { Attachment } from '#contract/files.ts'

interface Sending {
  /** Rejects with a message for the user. Never settles after an abort. */
  sent: Promise<Attachment>
  abort: () => void
}

/** Sends a file as multipart with XMLHttpRequest, because fetch reports no upload progress. */
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
  if (status < 200 || status >= 300) throw apiErrorOf(status, answer)
  return Attachment.parse(answer)
}
