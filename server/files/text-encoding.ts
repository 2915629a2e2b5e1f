import { detect } from 'chardet'
import iconv from 'iconv-lite'

const SAMPLE = 64 * 1024
const cyrillic = new Set(['windows-1251', 'KOI8-R', 'ISO-8859-5', 'UTF-8'])

/** Whether bytes are a text: UTF-8, UTF-16 with its mark, or an encoding of one byte a letter. `more` follow them. */
export function looksLikeText(bytes: Uint8Array, more = false): boolean {
  if (utf16Of(bytes)) return !/[\0\p{Co}]/u.test(decodeText(bytes.subarray(0, bytes.length & ~1)))
  if (bytes.includes(0)) return false
  const controls = bytes.reduce((count, byte) => count + (isControl(byte) ? 1 : 0), 0)
  if (isUtf8(bytes, more)) return controls * 10 <= bytes.length
  if (controls > 0) return false
  const text = iconv.decode(Buffer.from(bytes.subarray(0, SAMPLE)), 'windows-1251')
  const foreign = text.replace(/[\p{ASCII}]/gu, '')
  const emails = foreign.replace(/[^\p{L}«»—–„“”…№°§€\u00a0]/gu, '')
  return emails.length >= foreign.length * 0.9
}

/** The text in whatever encoding it is; without the mark of its order of bytes. */
export function decodeText(bytes: Uint8Array): string {
  const utf16 = utf16Of(bytes)
  const encoding = utf16 ?? (isUtf8(bytes, false) ? 'UTF-8' : oneByteEncoding(bytes.subarray(0, SAMPLE)))
  return iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), encoding)
}

function utf16Of(bytes: Uint8Array): 'UTF-16LE' | 'UTF-16BE' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'UTF-16LE'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'UTF-16BE' : null
}

/** Few letters are little to guess by: a text that is Russian as Windows writes it is taken for that. */
function oneByteEncoding(sample: Uint8Array): string {
  const guess = detect(sample)
  if (guess && cyrillic.has(guess)) return guess
  const russian = iconv.decode(Buffer.from(sample), 'windows-1251').match(/[А-Яа-яЁё]/g)?.length ?? 0
  const foreign = sample.reduce((count, byte) => count + (byte > 0x7f ? 1 : 0), 0)
  if (russian >= foreign * 0.8) return 'windows-1251'
  return guess && iconv.encodingExists(guess) ? guess : 'windows-1251'
}

function isUtf8(bytes: Uint8Array, more: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: more })
    return true
  } catch {
    return false
  }
}

/** Signs few texts have: all below the space but tabs, line ends, the form feed, escape, and the end mark of DOS. */
function isControl(byte: number): boolean {
  return (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b && byte !== 0x1a) || byte === 0x7f
}
