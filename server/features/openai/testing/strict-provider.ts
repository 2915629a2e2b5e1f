import { refuses, type Script } from '#server/llm/testing/fake-openai.ts'

interface SentMessage {
  role: string
  tool_call_id?: string
  tool_calls?: { id: string }[]
  reasoning_content?: unknown
}

interface SentTool {
  function: { name: string }
}

const FIELDS = ['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'refusal']
const NAME = /^[\w-]{1,64}$/

/** Refuses what OpenAI refuses, or DeepSeek, which wants its thoughts back; the rest is answered by `then`. */
export const strict =
  (kind: 'OpenAI' | 'DeepSeek', then: Script): Script =>
  (response, body) => {
    const { tools = [] } = body as { tools?: SentTool[] }
    const complaint = toolsComplaint(tools) ?? messagesComplaint(kind, body.messages as SentMessage[])
    return complaint === null ? then(response, body) : refuses(400, { error: { message: complaint } })(response, body)
  }

function toolsComplaint(tools: readonly SentTool[]): string | null {
  const names = tools.map((tool) => tool.function.name)
  const wrong = names.find((name) => !NAME.test(name))
  if (wrong !== undefined) return `Invalid 'tools[0].function.name': ${wrong}`
  return new Set(names).size === names.length ? null : 'Tool names must be unique.'
}

function messagesComplaint(kind: 'OpenAI' | 'DeepSeek', messages: readonly SentMessage[]): string | null {
  const open = new Set<string>()
  for (const [n, message] of messages.entries()) {
    const { role, tool_call_id = '', tool_calls = [], reasoning_content } = message
    if (role === 'tool') {
      if (!open.delete(tool_call_id)) return `messages[${n}] with role 'tool' must be a response to 'tool_calls'.`
      continue
    }
    if (open.size > 0) return `messages[${n}]: 'tool_calls' must be followed by messages for each 'tool_call_id'.`
    if (kind === 'DeepSeek' && tool_calls.length > 0 && typeof reasoning_content !== 'string')
      return 'The `reasoning_content` in the thinking mode must be passed back to the API.'
    const known = kind === 'DeepSeek' ? [...FIELDS, 'reasoning_content'] : FIELDS
    const other = Object.keys(message).find((field) => !known.includes(field))
    if (other !== undefined) return `Unknown parameter: 'messages[${n}].${other}'.`
    for (const { id } of tool_calls) open.add(id)
  }
  return open.size > 0 ? "'tool_calls' must be followed by messages for each 'tool_call_id'." : null
}
