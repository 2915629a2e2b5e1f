import { AnswerEvent } from './answers.ts'
import { ApiError } from './errors.ts'

/** The answer's event stream as text: written and read only here. */

export function writeAnswerEvent(event: AnswerEvent): string {
  if (event.type === 'delta') {
    return `event: delta\nid: ${event.offset}\ndata: {"text":${JSON.stringify(event.text)}}\n\n`
  }
  const { type, ...data } = event
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Reads events from a body as they come. A body that ends without `done` or `error` just ends: attach again. */
export async function* readAnswerEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<AnswerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const event = readBlock(block)
        if (event) yield event
      }
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

function readBlock(block: string): AnswerEvent | null {
  const fields: Record<string, string> = {}
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 1).trimStart()
  }
  if (!fields.event) return null
  const data = parseJson(fields.data)
  const offset = fields.id === undefined ? {} : { offset: Number(fields.id) }
  const event = AnswerEvent.safeParse({ ...(data as object), ...offset, type: fields.event })
  if (!event.success) throw new ApiError({ status: 200, code: 'bad_answer', message: 'Unknown stream error' })
  return event.data
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return null
  }
}
