import { fileTypeFromBuffer } from 'file-type'
import { MAX_PROGRAM_BYTES } from '#contract/openai.ts'
import type { Limits } from '#server/http/limits.ts'
import { PageError, type PageFailure } from '#server/internet/fetch-page.ts'
import type { LlmImage, LlmMessage } from '#server/llm/llm.ts'
import type { FetchPage } from '../web-search/read-pages.ts'
import { badField, type OpenAiError } from './errors.ts'

/** A part of a message; both forms of requests have these. */
type ContentPart = { text: string } | { refusal: string } | { image_url: string | { url: string } } | { type: string }

/** An image that is named by its address; it has no bytes until they are read. */
interface RemoteImage extends LlmImage {
  address: string
  param: string
}

export function contentOf(
  content: string | readonly ContentPart[] | null | undefined,
  param: string,
): { text: string; images: LlmImage[] } {
  if (content == null || typeof content === 'string') return { text: content ?? '', images: [] }
  const texts: string[] = []
  const images: LlmImage[] = []
  for (const [n, part] of content.entries()) {
    if ('text' in part) texts.push(part.text)
    else if ('refusal' in part) texts.push(part.refusal)
    else if ('image_url' in part) images.push(imageOf(part.image_url, `${param}[${n}].image_url`))
    else throw badField(`${param}[${n}].type`, `Части сообщения вида ${part.type} не принимаются.`, 'unsupported_value')
  }
  return { text: texts.join('\n\n'), images }
}

const DATA_URL = /^data:(image\/(?:png|jpe?g|webp|gif));base64,/i
const ADDRESS = /^https?:\/\//i

function imageOf(image: string | { url: string }, param: string): LlmImage {
  const url = typeof image === 'string' ? image : image.url
  if (ADDRESS.test(url)) {
    const remote: RemoteImage = { mime: '', ...bytesOf(Buffer.alloc(0)), address: url, param }
    return remote
  }
  const [head = '', mime] = DATA_URL.exec(url.slice(0, 100)) ?? []
  const bytes = mime === undefined ? null : bytesOfBase64(url.slice(head.length))
  if (mime === undefined || bytes === null)
    throw badField(param, `Картинку передают ${HOW}, или адресом https://… в открытом интернете.`, 'unsupported_value')
  return { mime: mime.toLowerCase().replace('jpg', 'jpeg'), ...bytesOf(bytes) }
}

/** Null for other signs, which the decoder leaves out. A pattern would take a tenth of a second for a large image. */
function bytesOfBase64(text: string): Buffer | null {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const bytes = Buffer.from(text, 'base64')
  return bytes.length > 0 && bytes.length === Math.floor(((text.length - padding) * 3) / 4) ? bytes : null
}

const HOW = 'в самом запросе: data:image/png;base64,… (PNG, JPEG, WebP или GIF)'

const bytesOf = (bytes: Uint8Array): Pick<LlmImage, 'bytes' | 'read'> => ({
  bytes: bytes.length,
  read: async function* () {
    yield bytes
  },
})

export const MOST_ADDRESSES = 8
const READ_MS = 10_000

export interface AddressDeps {
  /** Absent without the feature that reads pages. */
  fetchPage?: FetchPage | undefined
  limits: Limits
}

/** Reads the images that are named by address, before anything is charged; so their number has a limit of its own. */
export async function readRemoteImages(
  { fetchPage, limits }: AddressDeps,
  messages: readonly LlmMessage[],
  userId: string,
  signal: AbortSignal,
): Promise<void> {
  const remote = messages.flatMap(({ images = [] }) => images).filter((image) => 'address' in image) as RemoteImage[]
  const [first] = remote
  if (!first) return
  if (!fetchPage) throw notRead(first, 'Адреса здесь не открываются')
  const over = remote[MOST_ADDRESSES]
  if (over) throw notRead(over, `Адресов картинок в запросе может быть не больше ${MOST_ADDRESSES}`)
  for (const _ of remote) await limits('program-addresses', userId)
  const ending = AbortSignal.any([signal, AbortSignal.timeout(READ_MS)])
  let left = MAX_PROGRAM_BYTES
  await Promise.all(
    remote.map(async (image) => {
      const { bytes } = await fetchPage(image.address, ending, { userId, wanted: 'image' }).catch((error: unknown) => {
        signal.throwIfAborted()
        throw notRead(image, error instanceof PageError ? reasons[error.kind] : reasons.timeout)
      })
      left -= bytes.length
      if (left < 0) throw notRead(image, `Картинки вместе больше ${MAX_PROGRAM_BYTES / 1024 / 1024} МБ`)
      const mime = (await fileTypeFromBuffer(bytes))?.mime
      if (!mime || !taken.has(mime)) throw notRead(image, reasons.type)
      Object.assign(image, { mime, ...bytesOf(bytes) })
    }),
  )
}

const taken = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif'])

const reasons: Record<PageFailure, string> = {
  address: 'Такой адрес не открывается: нужен http или https в открытом интернете',
  redirects: 'Адрес картинки слишком долго переадресует',
  status: 'По этому адресу картинки нет',
  type: 'По этому адресу не PNG, JPEG, WebP или GIF',
  large: 'Картинка по этому адресу слишком большая',
  timeout: 'Картинка по этому адресу не пришла вовремя',
  down: 'Адрес картинки не отвечает',
  unreadable: 'Картинка по этому адресу не читается',
}

const notRead = ({ param }: RemoteImage, reason: string): OpenAiError =>
  badField(param, `${reason}. Передайте её ${HOW}.`, 'unsupported_value')
