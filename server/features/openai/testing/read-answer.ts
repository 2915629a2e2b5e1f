import * as z from 'zod/mini'

/** The tokens that the model counts; without its count they are estimated from the symbols. */
export const COUNTED_INPUT = 777

/** What a client has got of an answer, in either form, whole or streamed. */
export interface Got {
  /** Characters of text and of calls of functions. */
  output: number
  thought: number
  reason: string | null
  /** The code of the error that ended it; «left» when the client itself went. */
  error: string | null
  hasRunOut: boolean
  /** A stop word of the caller was found by us, so the counts of the provider are not known. */
  isCutByUs: boolean
}

const text = z.optional(z.nullable(z.string()))
const Call = z.object({ function: z.object({ name: text, arguments: text }) })
const Message = z.object({ content: text, reasoning_content: text, tool_calls: z.optional(z.array(Call)) })
const Usage = z.object({ symbols: z.object({ stopped: text }), prompt_tokens: z.optional(z.number()) })
const Failure = z.object({ code: text })
const Chat = z.object({
  choices: z.optional(
    z.array(z.object({ message: z.optional(Message), delta: z.optional(Message), finish_reason: text })),
  ),
  usage: z.optional(z.nullable(Usage)),
  error: z.optional(z.nullable(Failure)),
})
const Item = z.object({
  type: z.string(),
  name: text,
  arguments: text,
  content: z.optional(z.array(z.object({ text: z.string() }))),
  summary: z.optional(z.array(z.object({ text: z.string() }))),
})
const Whole = z.object({
  object: z.literal('response'),
  status: z.string(),
  output: z.array(Item),
  incomplete_details: z.nullable(z.object({ reason: z.string() })),
  usage: z.nullable(z.object({ symbols: z.object({ stopped: text }), input_tokens: z.number() })),
  error: z.nullable(Failure),
})
const Event = z.object({ type: z.string(), delta: text, item: z.optional(Item), response: z.optional(Whole) })

const lengthOf = (...texts: (string | null | undefined)[]) => texts.reduce((sum, one) => sum + (one?.length ?? 0), 0)

/** Reads while the answer comes. */
export function readAnswer(asking: Promise<Response>) {
  const got: Got = { output: 0, thought: 0, reason: null, error: null, hasRunOut: false, isCutByUs: false }
  let isOver = false

  function takeItems(items: z.infer<typeof Item>[]): void {
    for (const { name, arguments: json, content = [], summary = [] } of items) {
      got.output += lengthOf(name, json, ...content.map((part) => part.text))
      got.thought += lengthOf(...summary.map((part) => part.text))
    }
  }

  function takeEnd({ status, incomplete_details, usage, error }: z.infer<typeof Whole>): void {
    const hasRunOut = usage?.symbols.stopped === 'balance'
    // A stream that the balance ended has failed, so that programs say why; what was sent is paid for.
    if (error && !hasRunOut) got.error = error.code ?? 'none'
    if (status === 'completed') got.reason = 'stop'
    if (incomplete_details) got.reason = incomplete_details.reason === 'content_filter' ? 'content_filter' : 'length'
    got.hasRunOut ||= hasRunOut
  }

  function takeEvent({ type, delta, item, response }: z.infer<typeof Event>): void {
    if (type === 'response.output_text.delta' || type === 'response.function_call_arguments.delta')
      got.output += lengthOf(delta)
    if (type === 'response.reasoning_summary_text.delta') got.thought += lengthOf(delta)
    if (type === 'response.output_item.added') got.output += lengthOf(item?.name)
    if (response && type !== 'response.created' && type !== 'response.in_progress') takeEnd(response)
  }

  function takeChat({ choices = [], usage, error }: z.infer<typeof Chat>): void {
    if (error) got.error = error.code ?? 'none'
    for (const { message, delta, finish_reason } of choices) {
      const { content, reasoning_content, tool_calls = [] } = message ?? delta ?? {}
      got.output += lengthOf(content, ...tool_calls.flatMap((call) => [call.function.name, call.function.arguments]))
      got.thought += lengthOf(reasoning_content)
      got.reason = finish_reason ?? got.reason
    }
    got.hasRunOut ||= usage?.symbols.stopped === 'balance'
    if (usage) got.isCutByUs = usage.prompt_tokens !== COUNTED_INPUT
  }

  function take(value: unknown): void {
    const whole = Whole.safeParse(value)
    const event = Event.safeParse(value)
    if (whole.success) {
      takeItems(whole.data.output)
      takeEnd(whole.data)
    } else if (event.success) takeEvent(event.data)
    else takeChat(Chat.parse(value))
  }

  async function read(): Promise<Got> {
    try {
      const response = await asking
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
      if (!isStream) {
        take(await response.json())
        return got
      }
      const decoder = new TextDecoder()
      let rest = ''
      for await (const bytes of response.body ?? []) {
        const lines = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) if (line.startsWith('data: {')) take(JSON.parse(line.slice(6)))
      }
    } catch (error) {
      if (!(error instanceof DOMException)) throw error
      got.error = 'left'
    }
    return got
  }

  const end = read().finally(() => {
    isOver = true
  })
  return { end, size: () => got.output + got.thought, isOver: () => isOver }
}
