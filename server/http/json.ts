import { AppError } from '#server/lib/errors.ts'
import { type JsonLimits, parseChecked } from './json-size.ts'
import { parseInThread } from './json-thread.ts'

/** Longer ones are counted and parsed by another thread: a megabyte of escapes or of values takes tens of milliseconds. */
const LONG_BYTES = 128 * 1024

const BYTE_ORDER_MARK = Buffer.from('\uFEFF')

export async function parseJson(sent: Buffer, limits: JsonLimits): Promise<unknown> {
  const hasMark = BYTE_ORDER_MARK.equals(sent.subarray(0, BYTE_ORDER_MARK.length))
  const bytes = hasMark ? sent.subarray(BYTE_ORDER_MARK.length) : sent
  try {
    return bytes.length > LONG_BYTES ? await parseInThread({ bytes, limits }) : parseChecked(bytes, limits)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new AppError('bad_request', 'Запрос не читается: в его тексте ошибка.')
  }
}

/** JSON is always UTF-8; another charset would be read as something else than was meant. */
export const notJson = () =>
  new AppError('unsupported_media_type', 'Запрос не читается: он отправлен не в том формате. Нужен «application/json».')

export function isJson(contentType: string | null | undefined): boolean {
  return /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i.test(contentType ?? '')
}
