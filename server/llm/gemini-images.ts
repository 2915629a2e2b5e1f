import * as z from 'zod/mini'
import type { ImageSize } from '#contract/image-skills.ts'
import type { Connection } from './connection.ts'
import { FILTERS, geminiKind, pathOf } from './gemini.ts'
import { type Draw, type DrawnImage, type DrawRequest, drawError } from './llm.ts'
import { inTime, parseJson, readAnswer, whenThereIsRoom } from './openai-images.ts'

const TIMEOUT_MS = 180_000

/** Google's Gemini models that answer with images. They know no area: the caller puts the rest back. */
export function geminiDraw({ post }: Connection, timeoutMs = TIMEOUT_MS): Draw {
  return (request, signal) =>
    inTime(signal, timeoutMs, (both) =>
      whenThereIsRoom(request, both, async () => {
        const body = JSON.stringify(wireRequest(request))
        const response = await post(`/${pathOf(request.model)}:generateContent`, { body: () => body, signal: both })
        return imageIn(await readAnswer(response, geminiKind))
      }),
    )
}

const ratios: Record<ImageSize, string | null> = {
  auto: null,
  '1024x1024': '1:1',
  '1536x1024': '3:2',
  '1024x1536': '2:3',
  '1536x1152': '4:3',
  '1152x1536': '3:4',
  '1536x864': '16:9',
  '864x1536': '9:16',
}

function wireRequest({ prompt, size, change }: DrawRequest) {
  // Without a ratio the model keeps the one of the given image.
  const aspectRatio = ratios[size]
  return {
    contents: [
      {
        role: 'user',
        parts: [
          ...(change?.images ?? []).map(({ mime, bytes }) => ({
            inlineData: { mimeType: mime, data: Buffer.from(bytes).toString('base64') },
          })),
          { text: prompt },
        ],
      },
    ],
    generationConfig: {
      responseModalities: ['TEXT', 'IMAGE'],
      ...(aspectRatio === null ? {} : { imageConfig: { aspectRatio } }),
    },
  }
}

const Picture = z.object({ data: z.string() })
const Part = z.object({
  inlineData: z.optional(Picture),
  /** Some gateways write the names with underscores. */
  inline_data: z.optional(Picture),
  thought: z.optional(z.nullable(z.boolean())),
})
const Answer = z.object({
  candidates: z.optional(
    z.array(
      z.object({
        content: z.optional(z.object({ parts: z.optional(z.array(Part)) })),
        finishReason: z.optional(z.nullable(z.string())),
      }),
    ),
  ),
  promptFeedback: z.optional(z.object({ blockReason: z.optional(z.nullable(z.string())) })),
})

function imageIn(text: string): DrawnImage {
  const answer = Answer.safeParse(parseJson(text)).data
  if (!answer) throw drawError('down', { reason: 'unknown-answer' })
  const [candidate] = answer.candidates ?? []
  // Images that belong to a thought are drafts of the model.
  const parts = (candidate?.content?.parts ?? []).filter(({ thought }) => !thought)
  const image = parts.map((part) => part.inlineData ?? part.inline_data).find((picture) => picture !== undefined)
  if (image) return { bytes: Buffer.from(image.data, 'base64') }
  const isRefused = answer.promptFeedback?.blockReason || FILTERS.test(candidate?.finishReason ?? '')
  throw drawError(isRefused ? 'filter' : 'down', { reason: 'without-image' })
}
