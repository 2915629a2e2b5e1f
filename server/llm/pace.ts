import type { IncomingMessage } from 'node:http'

const USUAL_MS = 50
const BUSY_MS = 100
const BUSY_ANSWERS = 100

/**
 * The interval between pieces while `answers` are being written. Reading and writing of sockets is most of the work of
 * an answer, so it grows with their number; pages show a piece gradually until the next.
 */
export function paceMs(answers: number): number {
  return USUAL_MS + (BUSY_MS - USUAL_MS) * Math.min(1, answers / BUSY_ANSWERS)
}

/** Whether a piece after that time would be a new one, although timers are not exact. */
export const isNextPiece = (sincePieceMs: number) => sincePieceMs > USUAL_MS / 2

type Source = Pick<IncomingMessage, 'complete' | 'socket' | 'on'>

/** First words, and short answers as a whole, are read as they come. */
const READ_AT_ONCE = 8

const paused = new Set<Source['socket']>()
let answers = 0

/**
 * Reads a response in pieces: after some reads its socket is paused until the next turn, which all answers share, and
 * the system gathers what the model sends. Returns the function that takes what was read last, for the end.
 */
export function readInPieces(response: Source, take: (bytes: Buffer) => void): () => void {
  const { socket } = response
  let reads = 0
  let gathered: Buffer[] = []

  function takeGathered(): void {
    const bytes = Buffer.concat(gathered)
    gathered = []
    if (bytes.length > 0) take(bytes)
  }

  function endTurn(): void {
    takeGathered()
    // The connection may already serve another request.
    if (response.complete || socket.destroyed) return
    socket.pause()
    if (paused.size === 0) setTimeout(readAll, paceMs(answers))
    paused.add(socket)
  }

  response.on('data', (bytes: Buffer) => {
    reads += 1
    if (reads <= READ_AT_ONCE) return take(bytes)
    gathered.push(bytes)
    // Not at once: more may be in what was read, and the response asks for more right after, which ends a pause.
    if (gathered.length === 1) setImmediate(endTurn)
  })
  return takeGathered
}

function readAll(): void {
  answers = paused.size
  const sockets = [...paused]
  paused.clear()
  for (const socket of sockets) socket.resume()
}
