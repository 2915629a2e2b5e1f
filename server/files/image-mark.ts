import type { ImageMime } from './image.ts'
import type { Size } from './image-size.ts'

/** How a model took part in an image: it drew all of it, or changed a photo. */
export type DigitalSource = 'drawn' | 'changed-photo'

const SOURCES = 'http://cv.iptc.org/newscodes/digitalsourcetype/'
const names: Record<DigitalSource, string> = {
  drawn: 'trainedAlgorithmicMedia',
  'changed-photo': 'compositeWithTrainedAlgorithmicMedia',
}

/** The digital source type of IPTC, by which programs and sites recognise images of models. */
const packetOf = (source: DigitalSource) =>
  `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/" Iptc4xmpExt:DigitalSourceType="${SOURCES}${names[source]}"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`

/** The source that an earlier mark names; null for none. */
export function sourceIn(xmp: Uint8Array | undefined): DigitalSource | null {
  const text = xmp ? Buffer.from(xmp).toString() : ''
  const found = (Object.keys(names) as DigitalSource[]).find((source) => text.includes(`${SOURCES}${names[source]}"`))
  return found ?? null
}

/** Writes the source into the metadata of a valid image. Its pixels stay as they are: nothing is encoded again. */
export function markSource(bytes: Uint8Array, mime: ImageMime, image: Size & { source: DigitalSource }): Buffer {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const packet = Buffer.from(packetOf(image.source))
  if (mime === 'image/png') return markPng(file, packet)
  return mime === 'image/jpeg' ? markJpeg(file, packet) : markWebp(file, packet, image)
}

const PNG_HEAD = 33
const XMP_KEYWORD = 'XML:com.adobe.xmp'

/** After the header, which is always first: a text chunk that is not compressed. */
function markPng(file: Buffer, packet: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(`iTXt${XMP_KEYWORD}\0\0\0\0\0`, 'latin1'), packet])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(body.length - 4, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return Buffer.concat([file.subarray(0, PNG_HEAD), chunk, file.subarray(PNG_HEAD)])
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}

/** Before everything but the JFIF header, which readers expect first. */
function markJpeg(file: Buffer, packet: Buffer): Buffer {
  const isJfif = file[2] === 0xff && file[3] === 0xe0
  const at = isJfif ? 4 + file.readUInt16BE(4) : 2
  const body = Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1'), packet])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  return Buffer.concat([file.subarray(0, at), head, body, file.subarray(at)])
}

const HAS_XMP = 0x04
const HAS_ALPHA = 0x10

/** Metadata of a WebP needs the extended header; a simple file gets one. */
function markWebp(file: Buffer, packet: Buffer, { width, height }: Size): Buffer {
  const isExtended = file.toString('latin1', 12, 16) === 'VP8X'
  const head = Buffer.from(isExtended ? file.subarray(12, 30) : extendedHeader(file, width, height))
  head[8] = (head[8] ?? 0) | HAS_XMP
  const name = Buffer.from('XMP \0\0\0\0', 'latin1')
  name.writeUInt32LE(packet.length, 4)
  const padding = Buffer.alloc(packet.length % 2)
  const chunks = Buffer.concat([head, file.subarray(isExtended ? 30 : 12), name, packet, padding])
  const riff = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1')
  riff.writeUInt32LE(chunks.length + 4, 4)
  return Buffer.concat([riff, chunks])
}

function extendedHeader(file: Buffer, width: number, height: number): Buffer {
  const head = Buffer.alloc(18)
  head.write('VP8X', 'latin1')
  head.writeUInt32LE(10, 4)
  // A lossless image says in its own header whether it is transparent.
  const isTransparent = file.toString('latin1', 12, 16) === 'VP8L' && ((file[24] ?? 0) & 0x10) !== 0
  head[8] = isTransparent ? HAS_ALPHA : 0
  head.writeUIntLE(width - 1, 12, 3)
  head.writeUIntLE(height - 1, 15, 3)
  return head
}
