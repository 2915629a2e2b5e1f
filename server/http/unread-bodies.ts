import type { IncomingMessage, Server, ServerResponse } from 'node:http'

/** What a client may still send of a body that is not read, once the answer is there. */
export interface UnreadLimits {
  /** A longer body, or one of unknown length, costs its client the connection. */
  reusableBytes: number
  bytes: number
  ms: number
  /** How long the client may send nothing. */
  silentMs: number
}

const MB = 1024 * 1024
/** More than any upload that we accept, and the time that nginx lingers. */
export const UNREAD: UnreadLimits = { reusableBytes: MB, bytes: 64 * MB, ms: 30_000, silentMs: 5000 }

/**
 * An answer before the end of its request's body is sent at once, but ends only when the rest has been read and
 * dropped: closing a connection with unread bytes resets it, and the client loses the answer.
 */
export function finishUnread(request: IncomingMessage, response: ServerResponse, limits: UnreadLimits): void {
  if (!hasBody(request) || request.readableEnded || request.destroyed) return
  if (!request.complete && (unasked.has(request) || !isShort(request, limits))) endConnection(request, response)
  const end = response.end.bind(response)
  response.end = (chunk?: unknown) => {
    response.end = end
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) response.write(chunk)
    else response.flushHeaders()
    drop(request, limits, (isRead) => {
      end()
      if (!isRead) request.socket.destroySoon()
    })
    return response
  }
}

const ending = new WeakSet<object>()

/** Whether an earlier answer has ended the connection: what follows on it is not served. */
export const isEnding = ({ socket }: IncomingMessage) => ending.has(socket)

export function endConnection({ socket }: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false
  ending.add(socket)
}

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

const isShort = ({ headers }: IncomingMessage, { reusableBytes }: UnreadLimits) =>
  headers['transfer-encoding'] === undefined && Number(headers['content-length']) <= reusableBytes

function drop(request: IncomingMessage, limits: UnreadLimits, done: (isRead: boolean) => void): void {
  let bytes = 0
  const finish = (isRead: boolean) => () => {
    clearTimeout(late)
    clearTimeout(silent)
    request.off('data', count).off('end', read).off('close', left)
    done(isRead)
  }
  const read = finish(true)
  const left = finish(false)
  const late = setTimeout(left, limits.ms)
  const silent = setTimeout(left, limits.silentMs)
  const count = (chunk: Buffer) => {
    silent.refresh()
    bytes += chunk.length
    if (bytes > limits.bytes) left()
  }
  // A reader that has given up would pause the stream again.
  request.removeAllListeners('data').removeAllListeners('readable')
  request.on('data', count).once('end', read).once('close', left)
  request.resume()
}

/** Requests whose client waits for «100 Continue» before it sends the body. */
const unasked = new WeakSet<IncomingMessage>()

/** Asks for the body of such a request when it is read, so that a refused upload is not sent at all. */
export function continueWhenRead(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const read = request._read
    unasked.add(request)
    request._read = (size) => {
      request._read = read
      if (unasked.delete(request) && !response.headersSent) response.writeContinue()
      read.call(request, size)
    }
    server.emit('request', request, response)
  })
}
