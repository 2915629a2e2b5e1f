import { apiErrorOf, checkAnswer } from '#contract/call.ts'
import { type Answer, type Args, fillPath, type JsonEndpoint, queryString } from '#contract/endpoint.ts'
import { ApiError } from '#contract/errors.ts'
import { retryAfterDialog } from './api.ts'
import { progress } from './progress.ts'

interface UploadOptions {
  signal?: AbortSignal
  onSent?: (bytes: number, total: number) => void
}

/**
 * Sends a form or bytes and shows the loading bar. XMLHttpRequest, because fetch reports no upload progress. Rejects
 * with an ApiError or with the reason of the signal.
 */
export function upload<E extends JsonEndpoint>(
  endpoint: E,
  args: Args<E>,
  body: FormData | Blob,
  options: UploadOptions = {},
): Promise<Answer<E>> {
  const run = () => send(endpoint, args, body, options)
  return progress.during(run().catch(retryAfterDialog(run)))
}

function send<E extends JsonEndpoint>(
  endpoint: E,
  args: Args<E>,
  body: FormData | Blob,
  { signal, onSent }: UploadOptions,
): Promise<Answer<E>> {
  const { method, path } = endpoint
  const { params, query } = args as { params?: Record<string, string>; query?: Record<string, unknown> }
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const stop = () => {
      request.abort()
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop)
    request.upload.onprogress = ({ loaded, total }) => onSent?.(loaded, total)
    request.onerror = () => reject(new ApiError({ status: 0, code: 'network', message: 'Нет связи с сервером.' }))
    request.onload = () => {
      const { status, responseText } = request
      const answer = readJson(responseText)
      try {
        if (status < 200 || status >= 300) throw apiErrorOf(status, answer)
        resolve(checkAnswer(endpoint, answer, status))
      } catch (error) {
        reject(error)
      }
    }
    request.onloadend = () => signal?.removeEventListener('abort', stop)
    request.open(method, fillPath(path, params) + queryString(query))
    request.setRequestHeader('accept', 'application/json')
    if (body instanceof Blob) request.setRequestHeader('content-type', 'application/octet-stream')
    request.send(body)
  })
}

/** A proxy may answer without JSON. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text || 'null')
  } catch {
    return null
  }
}

interface Sending<E extends JsonEndpoint> {
  /** Rejects with a message for the user. Never settles after an abort. */
  sent: Promise<Answer<E>>
  abort: () => void
}

/** Sends a file in the field `file` of a form. */
export function sendFile<E extends JsonEndpoint>(
  endpoint: E,
  args: Args<E>,
  file: File,
  onProgress: (fraction: number) => void,
): Sending<E> {
  const abort = new AbortController()
  const form = new FormData()
  form.append('file', file)
  const onSent = (bytes: number, total: number) => onProgress(total > 0 ? bytes / total : 0)
  const sent = new Promise<Answer<E>>((resolve, reject) => {
    upload(endpoint, args, form, { signal: abort.signal, onSent }).then(resolve, (error: ApiError) => {
      if (abort.signal.aborted) return
      reject(error.status === 0 ? new Error('Нет связи. Файл не загрузился.') : error)
    })
  })
  return { sent, abort: () => abort.abort() }
}
