import { type Script, streams } from './fake-openai.ts'
import { type Complaint, type FakeProvider, type ReceivedRequest, startFakeProvider } from './fake-provider.ts'

const KEY = 'AIza-test'

/** Google's Gemini API, on the wire as its documentation shows it. */
export async function startFakeGemini(): Promise<FakeProvider & { keys: { baseUrl: string; apiKey: string } }> {
  const server = await startFakeProvider({ complaint, answer, script: saysGemini('Привет') })
  return { ...server, keys: { baseUrl: `${server.origin}/v1beta`, apiKey: KEY } }
}

export const geminiError = (code: number, status: string, message: string, details: unknown[] = []) => ({
  error: { code, message, status, details },
})

function complaint({ method, path, headers, body }: ReceivedRequest): Complaint | null {
  const invalid = (message: string): Complaint => [400, geminiError(400, 'INVALID_ARGUMENT', message)]
  if (/[?&]key=/.test(path)) return invalid('The key must not be in the address.')
  if (headers['x-goog-api-key'] !== KEY) return invalid('API key not valid. Please pass a valid API key.')
  if (method === 'GET' && path.startsWith('/v1beta/models')) return null
  if (!/^\/v1beta\/models\/[\w.-]+:streamGenerateContent\?alt=sse$/.test(path)) {
    return [404, geminiError(404, 'NOT_FOUND', 'models are not found for API version v1beta')]
  }
  if (body.contents.length === 0) return invalid('contents are required')
  if (body.contents[0].role !== 'user') return invalid('Please ensure that multiturn requests start with a user turn.')
  const isKnown = ({ role }: { role: string }) => role === 'user' || role === 'model'
  if (!body.contents.every(isKnown)) return invalid('Please use a valid role: user, model.')
  const { thinkingConfig } = body.generationConfig ?? {}
  if (thinkingConfig && 'thinkingBudget' in thinkingConfig && 'thinkingLevel' in thinkingConfig) {
    return invalid('You can only set only one of thinking budget and thinking level.')
  }
  return null
}

function answer({ method }: ReceivedRequest): unknown {
  if (method !== 'GET') return undefined
  const model = (id: string, method: string) => ({ name: `models/${id}`, supportedGenerationMethods: [method] })
  return {
    models: [
      model('gemini-9-pro', 'generateContent'),
      model('gemini-9-flash', 'generateContent'),
      model('gemini-embedding-9', 'embedContent'),
    ],
  }
}

interface Part {
  text: string
  thought?: boolean
}

/** One chunk of the stream, with the counts so far. */
export function geminiChunk(parts: Part[], finishReason?: string, usageMetadata: object = {}): string {
  const candidate = { content: { role: 'model', parts }, ...(finishReason ? { finishReason } : {}), index: 0 }
  const usage = { promptTokenCount: 7, ...usageMetadata }
  return `data: ${JSON.stringify({ candidates: [candidate], usageMetadata: usage, modelVersion: 'gemini-9' })}\r\n\r\n`
}

export function saysGemini(...texts: string[]): Script {
  const last = texts.length - 1
  return streams(
    ...texts.map((text, i) =>
      geminiChunk([{ text }], i === last ? 'STOP' : undefined, i === last ? { candidatesTokenCount: 5 } : {}),
    ),
  )
}
