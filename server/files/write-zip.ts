import { Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

export interface ZipEntry {
  name: string
  content: AsyncIterable<Uint8Array>
}

/** Names are UTF-8; sizes follow the bytes, because they are not known before. */
const FLAGS = 0x0808
const DEFLATED = 8
const VERSION = 20
/** Larger archives need another format, which old programs do not read. */
const MOST = 0xffff_ffff

/** A ZIP archive as a stream: one entry after another, so that only chunks are in memory. */
export async function* writeZip(entries: AsyncIterable<ZipEntry>, at = new Date()): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = []
  const time = dosTime(at)
  let offset = 0
  let count = 0
  for await (const { name, content } of entries) {
    const from = offset
    const begin = header({ name, time, crc: 0, packed: 0, bytes: 0 })
    yield begin
    const sizes = { crc: 0, packed: 0, bytes: 0 }
    const counted = async function* () {
      for await (const chunk of content) {
        sizes.crc = crc32(chunk, sizes.crc)
        sizes.bytes += chunk.length
        yield chunk
      }
    }
    for await (const chunk of Readable.from(counted(), { objectMode: false }).pipe(createDeflateRaw({ level: 6 }))) {
      sizes.packed += chunk.length
      yield chunk
    }
    const end = Buffer.alloc(16)
    end.writeUInt32LE(0x0807_4b50, 0)
    writeSizes(end, 4, sizes)
    yield end
    offset += begin.length + sizes.packed + end.length
    if (offset > MOST || sizes.bytes > MOST) throw new Error('The archive is larger than 4 GB')
    directory.push(header({ name, time, ...sizes }, from))
    count += 1
  }
  yield* directory
  const length = directory.reduce((sum, record) => sum + record.length, 0)
  const last = Buffer.alloc(22)
  last.writeUInt32LE(0x0605_4b50, 0)
  last.writeUInt16LE(count, 8)
  last.writeUInt16LE(count, 10)
  last.writeUInt32LE(length, 12)
  last.writeUInt32LE(offset, 16)
  yield last
}

interface Sizes {
  crc: number
  packed: number
  bytes: number
}

/** The header before an entry, or with its offset the record of the directory. */
function header({ name, time, ...sizes }: Sizes & { name: string; time: number }, offset?: number): Buffer {
  const isRecord = offset !== undefined
  const bytes = Buffer.from(name)
  const head = Buffer.alloc(isRecord ? 46 : 30)
  const at = isRecord ? 2 : 0
  head.writeUInt32LE(isRecord ? 0x0201_4b50 : 0x0403_4b50, 0)
  if (isRecord) head.writeUInt16LE(VERSION, 4)
  head.writeUInt16LE(VERSION, 4 + at)
  head.writeUInt16LE(FLAGS, 6 + at)
  head.writeUInt16LE(DEFLATED, 8 + at)
  head.writeUInt32LE(time, 10 + at)
  writeSizes(head, 14 + at, sizes)
  head.writeUInt16LE(bytes.length, 26 + at)
  if (isRecord) head.writeUInt32LE(offset, 42)
  return Buffer.concat([head, bytes])
}

function writeSizes(to: Buffer, at: number, { crc, packed, bytes }: Sizes): void {
  to.writeUInt32LE(crc, at)
  to.writeUInt32LE(packed, at + 4)
  to.writeUInt32LE(bytes, at + 8)
}

const dosTime = (at: Date) =>
  ((((at.getUTCFullYear() - 1980) << 25) | ((at.getUTCMonth() + 1) << 21) | (at.getUTCDate() << 16)) >>> 0) +
  ((at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1))
