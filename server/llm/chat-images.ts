import * as z from 'zod/mini'
import type { Connection } from './connection.ts'
import { kindOf } from './errors.ts'
import { type Draw, type DrawnImage, type DrawRequest, drawError } from './llm.ts'
import { fetchImage, inTime, parseJson, readAnswer, whenThereIsRoom } from './openai-images.ts'

const TIMEOUT_MS = 180_000

/** Chat models that answer with images, in the form of OpenRouter. They know no area and no size. */
export function chatDraw({ post, host }: Connection, timeoutMs = TIMEOUT_MS): Draw {
  return (request, signal) =>
    inTime(signal, timeoutMs, (both) =>
      whenThereIsRoom(request, both, async () => {
        const body = JSON.stringify(wireRequest(request))
        const response = await post('/chat/completions', { body: () => body, signal: both })
        return imageIn(await readAnswer(response), host, both)
      }),
    )
}

function wireRequest({ model, prompt, size, change }: DrawRequest) {
  const text = size === 'auto' ? prompt : `${prompt}\n\n${size}`
  return {
    model,
    modalities: ['image', 'text'],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text },
          ...(change?.images ?? []).map(({ mime, bytes }) => ({
            type: 'image_url',
            image_url: { url: `data:${mime};base64,${Buffer.from(bytes).toString('base64')}` },
          })),
        ],
      },
    ],
  }
}

const Picture = z.object({ image_url: z.union([z.string(), z.object({ url: z.string() })]) })
const Answer = z.object({
  choices: z.array(
    z.object({
      message: z.object({
        images: z.optional(z.nullable(z.array(Picture))),
        content: z.optional(z.nullable(z.union([z.string(), z.array(z.unknown())]))),
      }),
      finish_reason: z.optional(z.nullable(z.string())),
    }),
  ),
})

async function imageIn(text: string, host: string, signal: AbortSignal): Promise<DrawnImage> {
  const [choice] = Answer.safeParse(parseJson(text)).data?.choices ?? []
  if (!choice) throw drawError(kindOf(500, text), { reason: 'unknown-answer' })
  const { images, content } = choice.message
  const address = addressIn(images?.[0]) ?? (Array.isArray(content) ? firstAddress(content) : inMarkdown(content ?? ''))
  if (address) return { bytes: await fetchImage(address, host, signal) }
  throw drawError(choice.finish_reason === 'content_filter' ? 'filter' : 'down', { reason: 'without-image' })
}

function addressIn(value: unknown): string | undefined {
  const { image_url } = Picture.safeParse(value).data ?? {}
  return typeof image_url === 'string' ? image_url : image_url?.url
}

const firstAddress = (parts: unknown[]) => parts.map(addressIn).find((address) => address !== undefined)

/** Some gateways put the image into the text. */
const inMarkdown = (text: string) => /!\[[^\]]*\]\(((?:data:image\/|https?:)[^)\s]+)\)/.exec(text)?.[1]
