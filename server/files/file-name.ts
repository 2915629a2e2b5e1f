const MAX_NAME = 200
const NAMELESS = 'Файл без имени'

/** A name that is safe to show and send: the last part of a path, in one line, without invisible or bidi characters. */
export function safeFileName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? ''
  const plain = last
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  return shorten(plain.replace(/^\.+$/, '')) || NAMELESS
}

export function extensionOf(name: string): string {
  return /\.([\p{L}\p{N}]{1,10})$/u.exec(name)?.[1]?.toLowerCase() ?? ''
}

/** Removes the middle, so that the extension stays. */
function shorten(name: string): string {
  const characters = [...name]
  if (characters.length <= MAX_NAME) return name
  const end = characters.slice(-20)
  return [...characters.slice(0, MAX_NAME - end.length - 1), '…', ...end].join('')
}

/** Most file systems allow 255 bytes; browsers append a number to repeated names. */
const MAX_BYTES = 180
/** Reserved by Windows. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** A file name made from a title, without characters that an operating system forbids. */
export function downloadName(title: string, extension: string): string {
  const words = title
    .replace(/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]/gu, ' ')
    .replace(/[\\/:*?"<>|]/g, ' ')
    .replace(/\s+/g, ' ')
  const name = shortened(words.trim()).replace(/^[. ]+|[. ]+$/g, '')
  return `${name === '' || RESERVED.test(name) ? `Чат ${name}`.trim() : name}.${extension}`
}

/** Cuts between graphemes, so that an emoji of several code points is not split. */
function shortened(name: string): string {
  let bytes = 0
  let short = ''
  for (const { segment } of new Intl.Segmenter('ru').segment(name)) {
    bytes += Buffer.byteLength(segment)
    if (bytes > MAX_BYTES) break
    short += segment
  }
  return short
}

/** The ASCII name is for clients that do not know `filename*`. */
export function fileHeaders(name: string, type: string): Record<string, string> {
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return {
    'content-type': type,
    'content-disposition': `attachment; filename="chat.${name.split('.').at(-1)}"; filename*=UTF-8''${encoded}`,
    'cache-control': 'no-store',
  }
}
