import type * as z from 'zod/mini'
import { AnswerEvent } from './answers.ts'
import type { TryEvent } from './assistants.ts'
import { ApiError } from './errors.ts'

/** The text format of an answer's event stream; only this file writes and reads it. */

export function writeAnswerEvent(event: AnswerEvent | TryEvent): string {
  if (event.type === 'delta') {
    return `event: delta\nid: ${event.offset}\ndata: {"text":${JSON.stringify(event.text)}}\n\n`
  }
  // A thought has no id: the id belongs to the text.
  const { type, ...data } = event
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Reads events from a body; events of unknown names are left out. A body that ends without `done` or `error` was interrupted: attach again. */
export const readAnswerEvents = (body: ReadableStream<Uint8Array>) => readEvents(body, AnswerEvent)

type EventSchema = typeof AnswerEvent | typeof TryEvent

/** The same for other events: a try-out has its own `done`. */
export async function* readEvents<Schema extends EventSchema>(
  body: ReadableStream<Uint8Array>,
  schema: Schema,
): AsyncGenerator<z.output<Schema>> {
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
        const event = readBlock(block, schema)
        if (event) yield event
      }
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

function readBlock<Schema extends EventSchema>(block: string, schema: Schema): z.output<Schema> | null {
  const fields: Record<string, string> = {}
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 1).trimStart()
  }
  if (!fields.event || !isKnown(fields.event, schema)) return null
  const data = parseJson(fields.data)
  const offset = fields.id === undefined ? {} : { offset: Number(fields.id) }
  const event = schema.safeParse({ ...(data as object), ...offset, type: fields.event })
  // A stage of a newer server: what this page cannot name it leaves out.
  if (!event.success && fields.event === 'stage') return null
  if (!event.success) throw new ApiError({ status: 200, code: 'bad_answer', message: 'Unknown stream error' })
  return event.data as z.output<Schema>
}

/** A newer server may send events of other names; this reader has no use for them. */
function isKnown(type: string, schema: EventSchema): boolean {
  return schema.def.options.some((option) => (option.shape.type.def.values as string[]).includes(type))
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return null
  }
}
