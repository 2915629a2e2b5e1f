import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

/** A file of the site, held in memory so that no request waits for the disk. */
export interface SiteFile {
  type: string
  etag: string
  cache: string
  raw: Buffer
  br: Buffer | null
  gzip: Buffer | null
}

export const etagOf = (raw: Buffer) => `"${createHash('sha256').update(raw).digest('base64url').slice(0, 22)}"`

/** A text that the server writes once, at its start. Browsers ask each time whether it has changed. */
export function writtenFile(type: string, text: string): SiteFile {
  const raw = Buffer.from(text)
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }
  return {
    ...{ type, raw, etag: etagOf(raw), cache: 'no-cache' },
    br: brotliCompressSync(raw, options),
    gzip: gzipSync(raw),
  }
}

export function encodingFor(headers: Headers, has: (name: 'br' | 'gzip') => boolean = () => true) {
  const accepted = headers.get('accept-encoding') ?? ''
  return (['br', 'gzip'] as const).find((name) => has(name) && new RegExp(`\\b${name}\\b`).test(accepted))
}

export function sendFile(file: SiteFile, headers: Headers): Response {
  const answer = { 'content-type': file.type, 'cache-control': file.cache, etag: file.etag, vary: 'accept-encoding' }
  if (headers.get('if-none-match') === file.etag) return new Response(null, { status: 304, headers: answer })
  const encoding = encodingFor(headers, (name) => file[name] !== null)
  const body = encoding ? file[encoding] : null
  if (!encoding || !body) return new Response(new Uint8Array(file.raw), { headers: answer })
  return new Response(new Uint8Array(body), { headers: { ...answer, 'content-encoding': encoding } })
}
