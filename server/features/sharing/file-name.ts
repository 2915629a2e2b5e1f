/** Most file systems take 255 bytes for a name; browsers like to add a number to it. */
const MAX_BYTES = 180
/** Names that Windows keeps for itself. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** A name for a file made from a title: whatever some system would stumble over is left out. */
export function safeFileName(title: string, extension: string): string {
  const words = title
    .replace(/[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]/gu, ' ')
    .replace(/[\\/:*?"<>|]/g, ' ')
    .replace(/\s+/g, ' ')
  const name = shortened(words.trim()).replace(/^[. ]+|[. ]+$/g, '')
  return `${name === '' || RESERVED.test(name) ? `Беседа ${name}`.trim() : name}.${extension}`
}

/** Whole letters only: an emoji of several parts stays or goes as one. */
function shortened(name: string): string {
  let bytes = 0
  let kept = ''
  for (const { segment } of new Intl.Segmenter('ru').segment(name)) {
    bytes += Buffer.byteLength(segment)
    if (bytes > MAX_BYTES) break
    kept += segment
  }
  return kept
}

/** The plain name is for clients from before there were other alphabets. */
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
