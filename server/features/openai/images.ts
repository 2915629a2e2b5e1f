import { type ImageSize, imageSizes } from '#contract/image-skills.ts'
import { ImagesBody } from '#contract/openai.ts'
import { decodeLimits, inTurn, loadSharp, readImage } from '#server/files/image.ts'
import { markSource } from '#server/files/image-mark.ts'
import { newId } from '#server/lib/ids.ts'
import { type DrawRequest, drawError } from '#server/llm/llm.ts'
import { withoutMasked } from '../answers/masking.ts'
import type { UsedKey } from '../api-keys/find-key.ts'
import { priceOf } from '../images/create.ts'
import { isOutsideHome } from '../models/countries.ts'
import { costOfUnits, imageSkillsOf, type ModelRow } from '../models/models.ts'
import { recordSideCost } from '../models/side-costs.ts'
import type { ProgramDeps } from './chat.ts'
import { bodyOf, type ProgramCall } from './door.ts'
import { badField } from './errors.ts'
import { findModelOf } from './models.ts'
import { maskingOf, symbolHeaders } from './run-chat.ts'
import { underHold } from './under-hold.ts'

/** POST /v1/images/generations. The images are only in the answer: nothing is stored. */
export async function answerImages(asked: ProgramCall, deps: ProgramDeps): Promise<Response> {
  const { c, key, left } = asked
  const body = await bodyOf(asked, ImagesBody)
  const { db, providers } = deps
  const model = await findModelOf(db, key, body.model, 'image')
  const request = drawRequestOf(deps, key, model, body)
  const masking = isOutsideHome(providers, model) ? await maskingOf(db, key) : null
  const prompt = withoutMasked(masking, body.prompt)
  const price = priceOf(model)
  const n = body.n ?? 1
  const { result, symbols } = await deps.calls.run(key, (stops) =>
    underHold(
      deps,
      { key, left, stops },
      {
        kind: 'image',
        symbols: price * n,
        details: { modelId: model.id },
        run: async (signal) => {
          const drawOne = async () => {
            const { bytes } = await providers.draw(model.provider)({ ...request, prompt, seed: newId() }, signal)
            return finished(bytes, body.output_format)
          }
          const drawn = await Promise.allSettled(Array.from({ length: n }, drawOne))
          const images = drawn.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
          const failed = drawn.find((one) => one.status === 'rejected')
          if (images.length === 0 && failed) throw failed.reason
          return { result: images, cost: price * images.length, details: { output: images.length } }
        },
      },
    ),
  )
  await recordSideCost(db, { kind: 'image', userId: key.userId, model }, costOfUnits(model, result.length))
  const created = Math.floor(Date.now() / 1000)
  const data = result.map((bytes) => ({ b64_json: Buffer.from(bytes).toString('base64') }))
  return c.json({ created, data, usage: { symbols } }, 200, symbolHeaders(symbols))
}

function drawRequestOf(
  { providers }: ProgramDeps,
  key: UsedKey,
  model: ModelRow,
  body: ImagesBody,
): Omit<DrawRequest, 'prompt' | 'seed'> {
  const { form, sizes, transparent: canBeTransparent } = imageSkillsOf(providers, model)
  const size = sizeOf(body.size)
  if (size === null || (size !== 'auto' && !sizes.includes(size)))
    throw badField('size', `Эта модель рисует в размерах: ${sizes.join(', ')}.`, 'unsupported_value')
  const transparent = body.background === 'transparent'
  if (transparent && !canBeTransparent)
    throw badField('background', 'Эта модель не рисует на прозрачном фоне.', 'unsupported_value')
  if (body.response_format === 'url')
    throw badField(
      'response_format',
      'Картинки не хранятся, поэтому приходят только как b64_json.',
      'unsupported_value',
    )
  if (body.stream) throw badField('stream', 'Картинка приходит целиком, без потока.', 'unsupported_value')
  return { model: model.providerModel, size, form, transparent, userId: key.userId }
}

const sizeOf = (given: string | null | undefined): ImageSize | null =>
  given == null ? 'auto' : (imageSizes.find((size) => size === given) ?? null)

const mimes = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' } as const

/** Checked and marked as drawn by a model, like every image; in the format that was asked for. */
async function finished(bytes: Uint8Array, format: ImagesBody['output_format']): Promise<Uint8Array> {
  const image = await readImage(bytes)
  if (!image) throw drawError('down', { reason: 'without-image' })
  const { width, height } = image
  const mime = format == null ? image.mime : mimes[format]
  const wanted = format == null || mime === image.mime ? bytes : await converted(bytes, format)
  return markSource(wanted, mime, { width, height, source: 'drawn' })
}

const converted = (bytes: Uint8Array, format: 'png' | 'jpeg' | 'webp'): Promise<Uint8Array> =>
  inTurn(async () => {
    const sharp = await loadSharp()
    return sharp(bytes, decodeLimits).toFormat(format).toBuffer()
  })
