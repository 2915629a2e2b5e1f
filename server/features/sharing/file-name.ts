/** Most file systems allow 255 bytes; browsers append a number to repeated names. */
const MAX_BYTES = 180
/** Reserved by Windows. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** A file name made from a title, without characters that an operating system forbids. */
export function safeFileName(title: string, extension: string): string {
  const words = title
    .replace(/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]/gu, ' ')
    .replace(/[\\/:*?"<>|]/g, ' ')
    .replace(/\s+/g, ' ')
  const name = shortened(words.trim()).replace(/^[. ]+|[. ]+$/g, '')
  return `${name === '' || RESERVED.test(name) ? `Беседа ${name}`.trim() : name}.${extension}`
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
