import { detect } from 'chardet'
import iconv from 'iconv-lite'

const SAMPLE = 64 * 1024
/** Enough to tell encodings by their letters, and fast: files are recognised in the thread of the server. */
const LETTERS = 4 * 1024
/** One-byte encodings of Russian texts, the usual ones first: of equal ones the first is taken. */
const cyrillic = ['windows-1251', 'koi8-r', 'cp866', 'macintosh-cyrillic', 'iso-8859-5'] as const
const names: Record<string, string> = { 'macintosh-cyrillic': 'maccyrillic' }

/** Whether bytes are text in an encoding that we know. `more`: the bytes may be cut off. */
export function looksLikeText(bytes: Uint8Array, more = false): boolean {
  const wide = wideEncodingOf(bytes)
  if (wide)
    return !/[^\P{Cc}\t\n\v\f\r\u0085]|[\p{Co}\p{Cn}]/u.test(
      decodeAs(bytes.subarray(0, bytes.length - (bytes.length % 4)), wide).slice(0, SAMPLE),
    )
  if (bytes.includes(0)) return false
  const controls = bytes.reduce((count, byte) => count + (isControl(byte) ? 1 : 0), 0)
  if (isUtf8(bytes, more)) return controls * 10 <= bytes.length
  if (controls > 0) return false
  return cyrillic.some((encoding) => isMostlyLetters(bytes.subarray(0, SAMPLE), encoding))
}

/** Signs and lines of tables belong to texts of DOS; letters must be more. */
function isMostlyLetters(bytes: Uint8Array, encoding: string): boolean {
  const foreign = decodeAs(bytes, encoding).replace(/[\p{ASCII}]/gu, '')
  const letters = foreign.replace(/[^\p{L}«»—–„“”…№°§€\u00a0]/gu, '').length
  const drawn = encoding === 'cp866' ? (foreign.match(/[\u2500-\u259f]/g)?.length ?? 0) : 0
  return letters + drawn >= foreign.length * 0.9 && letters >= drawn
}

/** Decodes text of any encoding and removes the BOM. */
export function decodeText(bytes: Uint8Array): string {
  const wide = wideEncodingOf(bytes)
  return decodeAs(bytes, wide ?? (isUtf8(bytes, false) ? 'utf-8' : oneByteEncoding(bytes.subarray(0, SAMPLE))))
}

const decodeAs = (bytes: Uint8Array, encoding: string) =>
  iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), names[encoding] ?? encoding)

/** UTF-8 is detected; for other bytes the encoding named by the server or the page is used. */
export function decodePage(bytes: Uint8Array, named: string | null): string {
  if (wideEncodingOf(bytes) || isUtf8(bytes, false)) return decodeText(bytes)
  const encoding = named ?? encodingIn(bytes)
  // The bytes are not UTF-8 here, so that name is wrong.
  if (!encoding || /^utf-?(8|16|32)/i.test(encoding)) return decodeText(bytes)
  const known = /^x-mac-cyrillic$/i.test(encoding) ? 'maccyrillic' : encoding
  return iconv.encodingExists(known) ? decodeAs(bytes, known) : decodeText(bytes)
}

/** `<meta charset="windows-1251">`, also as `content="text/html; charset=…"`, or the first line of XHTML. */
function encodingIn(bytes: Uint8Array): string | null {
  const head = iconv.decode(Buffer.from(bytes.subarray(0, 4096)), 'latin1')
  const found = /<meta\s[^>]{0,500}?charset\s{0,10}=\s{0,10}["']?\s{0,10}([\w-]{2,30})/i.exec(head)
  return found?.[1] ?? /^\s{0,10}<\?xml[^>]{0,100}?encoding\s{0,10}=\s{0,10}["']([\w-]{2,30})/i.exec(head)?.[1] ?? null
}

type Wide = 'utf-32le' | 'utf-32be' | 'utf-16le' | 'utf-16be'

/** UTF-16 and UTF-32, by the BOM or by where the zeros and the bytes of the alphabet stand. */
function wideEncodingOf(bytes: Uint8Array): Wide | null {
  const [a, b, c, d] = bytes
  if (a === 0xff && b === 0xfe && c === 0 && d === 0) return 'utf-32le'
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return 'utf-32be'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if (!bytes.subarray(0, SAMPLE).includes(0) && !isWideAlphabet(bytes)) return null
  return unmarkedWide(bytes)
}

/** A Russian text without a space has no zero byte in UTF-16. */
const isWideAlphabet = (bytes: Uint8Array) => bytes.length >= 4 && (bytes[1] === 4 || bytes[0] === 4)

const isZero = (byte: number) => byte === 0
/** High bytes of letters are nearly always 0 (Latin), 4 (Cyrillic), 0x20 or 0x21 (dashes, quotes, №). */
const isHigh = (byte: number) => byte === 0 || byte === 4 || byte === 0x20 || byte === 0x21

function unmarkedWide(bytes: Uint8Array): Wide | null {
  const share = (from: number, step: number, isWanted: (byte: number) => boolean) => {
    const length = Math.min(bytes.length, SAMPLE) - (Math.min(bytes.length, SAMPLE) % step)
    let count = 0
    for (let at = from; at < length; at += step) if (isWanted(bytes[at] ?? 0)) count += 1
    return length === 0 ? 0 : count / (length / step)
  }
  if (share(2, 4, isZero) === 1 && share(3, 4, isZero) === 1 && share(1, 4, isHigh) > 0.9) return 'utf-32le'
  if (share(0, 4, isZero) === 1 && share(1, 4, isZero) === 1 && share(2, 4, isHigh) > 0.9) return 'utf-32be'
  if (bytes.length % 2 === 1 && bytes.length < SAMPLE) return null
  const [even, odd] = [share(0, 2, isHigh), share(1, 2, isHigh)]
  if (odd > 0.9 && even < 0.6) return 'utf-16le'
  return even > 0.9 && odd < 0.6 ? 'utf-16be' : null
}

/** How often each letter stands in Russian texts, in percent; the order is that of the alphabet. */
const frequencies = [
  8, 1.6, 4.5, 1.7, 3, 8.5, 0.9, 1.6, 7.4, 1.2, 3.5, 4.4, 3.2, 6.7, 11, 2.8, 4.7, 5.5, 6.3, 2.6, 0.3, 1, 0.5, 1.4, 0.7,
  0.4, 0.04, 1.9, 1.7, 0.3, 0.6, 2,
]

/** How much a text reads as Russian. Signs among letters, capitals inside of words and Latin neighbours count against. */
function russianScore(text: string, encoding: string): number {
  let [score, before] = [0, '']
  for (const letter of text) {
    const code = letter.toLowerCase().charCodeAt(0) - 0x430
    const isRussian = (code >= 0 && code < 32) || letter === 'ё' || letter === 'Ё'
    if (isRussian) {
      const isOdd = letter !== letter.toLowerCase() && before !== '' && before === before.toLowerCase()
      score += isOdd || /[a-z]/i.test(before) ? -6 : (frequencies[code] ?? 1.8) - 1.5
    } else if (letter > '\u007f') {
      if (!/[«»—–„“”…№°§\u00a0]/u.test(letter) && !(encoding === 'cp866' && /[\u2500-\u259f]/.test(letter))) score -= 6
    } else if (/[a-z]/i.test(letter) && /[^\p{ASCII}]/u.test(before)) score -= 6
    before = /\p{L}/u.test(letter) ? letter : ''
  }
  // Old Macs are rare, and their capitals stand where those of DOS do.
  return encoding === 'macintosh-cyrillic' ? score - 6 : score
}

/** From the first letter that is not Latin: a long English beginning says nothing. */
function lettersOf(sample: Uint8Array): Uint8Array {
  const first = Math.max(0, sample.findIndex((byte) => byte > 0x7f) - 100)
  return sample.subarray(first, first + LETTERS)
}

/** Detection is unreliable for short texts, so the Russian encodings are compared by how well the text reads. */
function oneByteEncoding(sample: Uint8Array): string {
  const letters = lettersOf(sample)
  const scores = cyrillic.map((encoding) => ({ encoding, score: russianScore(decodeAs(letters, encoding), encoding) }))
  const best = scores.reduce((one, other) => (other.score > one.score ? other : one))
  if (best.score > 0) return best.encoding
  const guess = detect(sample)
  const russian = decodeAs(sample, 'windows-1251').match(/[А-Яа-яЁё]/g)?.length ?? 0
  const foreign = sample.reduce((count, byte) => count + (byte > 0x7f ? 1 : 0), 0)
  if (russian >= foreign * 0.8 && !/^(windows-125[02]|ISO-8859-1)$/.test(guess ?? '')) return 'windows-1251'
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

/** Control characters that texts rarely contain: all but tab, line ends, form feed, escape and the DOS end of file. */
function isControl(byte: number): boolean {
  return (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b && byte !== 0x1a) || byte === 0x7f
}
