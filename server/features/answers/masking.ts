import { eq } from 'drizzle-orm'
import { createMask, type Mask } from '#contract/mask.ts'
import type { MaskedCounts } from '#contract/threads.ts'
import type { Db } from '#server/db/client.ts'
import { settings } from '#server/db/schema.ts'
import { createPauses } from '#server/lib/pauses.ts'
import type { Llm, LlmEnd, LlmMessage, LlmRequest, LlmToolCall, OnText, OnTool, ToolDelta } from '#server/llm/llm.ts'
import type { Providers } from '#server/llm/providers.ts'
import { isOutsideHome } from '../models/countries.ts'

/** What is masked for models abroad; null for nothing. */
export type MaskingSettings = { names: string[] } | null

type MaskingColumns = Pick<typeof settings.$inferSelect, 'maskPersonal' | 'maskedNames'>

export const maskingSettingsIn = ({ maskPersonal, maskedNames }: MaskingColumns): MaskingSettings =>
  maskPersonal ? { names: maskedNames } : null

export async function readMaskingSettings(db: Db, userId: string): Promise<MaskingSettings> {
  const { maskPersonal, maskedNames } = settings
  const [row] = await db.select({ maskPersonal, maskedNames }).from(settings).where(eq(settings.userId, userId))
  return row ? maskingSettingsIn(row) : null
}

interface ModelOfCall {
  provider: string
}

/** Masks personal data of one request for models whose data leaves the country. Only counts of it are stored. */
export interface Masking {
  maskedFor: (model: ModelOfCall) => Promise<MaskedCounts | null>
  /** Wraps a model: the model gets tokens, and the caller gets the real words. */
  guard: (model: ModelOfCall, llm: Llm) => Llm
}

interface MaskedRequest {
  mask: Mask
  messages: LlmMessage[]
  counts: MaskedCounts | null
}

/** The tokens of `question` are numbered first, so that the page can compute the same ones. */
export function openMasking(
  providers: Providers,
  maskingSettings: MaskingSettings,
  messages: readonly LlmMessage[],
  question = '',
): Masking {
  let whole: Promise<MaskedRequest> | undefined
  const masked = (names: string[]) => {
    whole ??= maskRequest(createMask(names), messages, question)
    return whole
  }
  return {
    maskedFor: async (model) =>
      maskingSettings && isOutsideHome(providers, model) ? (await masked(maskingSettings.names)).counts : null,
    guard: (model, llm) =>
      maskingSettings && isOutsideHome(providers, model)
        ? async (request, signal, onText) =>
            callMasked(llm, await masked(maskingSettings.names), request, signal, onText)
        : llm,
  }
}

/** A model for short calls, each with messages of its own. */
export function guardShort(providers: Providers, maskingSettings: MaskingSettings, model: ModelOfCall, llm: Llm): Llm {
  return (request, signal, onText) =>
    openMasking(providers, maskingSettings, request.messages).guard(model, llm)(request, signal, onText)
}

/** The beginning of a text for an embedding model abroad, with the same tokens as a message; null for nothing masked. */
export function maskFor(maskingSettings: MaskingSettings): ((text: string, most: number) => string) | null {
  if (!maskingSettings) return null
  const mask = createMask(maskingSettings.names)
  return (text, most) => mask.mask(mask.cut(text, most))
}

/** A text for a search engine, without the masked personal data. */
export function withoutMasked(maskingSettings: MaskingSettings, text: string): string {
  if (!maskingSettings) return text
  const mask = createMask(maskingSettings.names)
  const masked = mask.mask(text)
  return mask
    .masked()
    .reduce((left, { token }) => left.replaceAll(token, ' '), masked)
    .replace(/\s+/g, ' ')
    .trim()
}

async function callMasked(
  llm: Llm,
  { mask, messages }: MaskedRequest,
  request: LlmRequest,
  signal: AbortSignal,
  onText: OnText,
): Promise<LlmEnd> {
  let isBegun = false
  const restored = (deliver: OnText) =>
    mask.restoreStream((text) => {
      isBegun = true
      // No retry follows the first text, so a large prompt can be freed.
      messages.length = 0
      deliver(text)
    })
  const text = restored(onText)
  const thought = restored(request.onThought ?? (() => undefined))
  const tools = restoredTools(mask, request.onTool)
  const end = () => {
    thought.end()
    text.end()
    tools.end()
  }
  try {
    const listeners = { onThought: thought.push, ...(request.onTool && { onTool: tools.push }) }
    const result = await llm({ ...request, messages, ...listeners }, signal, (chunk) => {
      thought.end()
      text.push(chunk)
    })
    end()
    return result
  } catch (error) {
    // Before any text is delivered, the beginning of a token is dropped, so that a fallback model may still answer.
    if (isBegun && !signal.aborted) end()
    throw error
  }
}

/** The arguments of each call are a text of their own. */
function restoredTools(mask: Mask, onTool: OnTool | undefined) {
  const byIndex = new Map<number, ReturnType<Mask['restoreStream']>>()
  return {
    push: ({ arguments: chunk, ...call }: ToolDelta) => {
      const { index } = call
      const known = byIndex.get(index)
      const stream = known ?? mask.restoreStream((text) => onTool?.({ index, arguments: text }))
      byIndex.set(index, stream)
      if (!known) onTool?.({ ...call, arguments: '' })
      stream.push(chunk)
    },
    end: () => {
      for (const stream of byIndex.values()) stream.end()
    },
  }
}

const NOTE =
  'Личные данные в этом разговоре заменены метками вида [телефон 1] или [имя 1]. ' +
  'Упоминая их, пиши метку точно так же, в квадратных скобках, и не говори, что данных нет.'

async function maskWithPauses(mask: Mask, text: string, pause: () => Promise<void>): Promise<string> {
  let masked = ''
  for (const chunk of mask.maskInChunks(text)) {
    masked += chunk
    await pause()
  }
  return masked
}

/** Texts for an embedding model abroad, with the same tokens in all. */
export async function maskTexts(
  { names }: { names: string[] },
  texts: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const mask = createMask(names)
  const pauses = createPauses()
  const pause = async () => {
    await pauses()
    signal.throwIfAborted()
  }
  const masked: string[] = []
  for (const text of texts) masked.push(await maskWithPauses(mask, text, pause))
  return masked
}

async function maskRequest(mask: Mask, messages: readonly LlmMessage[], question: string): Promise<MaskedRequest> {
  const pause = createPauses()
  const maskText = (text: string) => maskWithPauses(mask, text, pause)
  for (const { content, thought = '', toolCalls = [] } of messages) {
    mask.reserve(content)
    mask.reserve(thought)
    for (const call of toolCalls) mask.reserve(call.arguments)
    await pause()
  }
  await maskText(question)
  const masked: LlmMessage[] = []
  for (const { toolCalls, thought, ...message } of messages) {
    const content = await maskText(message.content)
    const shownThought = thought === undefined ? {} : { thought: await maskText(thought) }
    const calls: LlmToolCall[] = []
    for (const call of toolCalls ?? []) calls.push({ ...call, arguments: await maskText(call.arguments) })
    masked.push({ ...message, content, ...shownThought, ...(toolCalls && { toolCalls: calls }) })
  }
  const found = mask.counts()
  const counts = Object.keys(found).length > 0 ? found : null
  return { mask, messages: counts ? withNote(masked) : masked, counts }
}

function withNote(messages: LlmMessage[]): LlmMessage[] {
  const [first, ...rest] = messages
  return first?.role === 'system'
    ? [{ ...first, content: `${first.content}\n\n${NOTE}` }, ...rest]
    : [{ role: 'system', content: NOTE }, ...messages]
}
