import { crc32 } from 'node:zlib'

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
const UTF8_NAME = 0x0800

/**
 * Writes a zip without compression. The libraries accept only a zip, so they get this one, made of the checked parts,
 * and never the uploaded archive.
 */
export function zipStored(parts: Map<string, Buffer>): ArrayBuffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of parts) {
    const path = Buffer.from(name)
    const facts = factsOf(path, content)
    directory.push(
      header(
        CENTRAL,
        46,
        [
          [4, 20],
          [6, 20],
        ],
        facts,
        2,
      ),
      path,
    )
    directory.at(-2)?.writeUInt32LE(offset, 42)
    pieces.push(header(LOCAL, 30, [[4, 20]], facts, 0), path, content)
    offset += 30 + path.length + content.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(END, 0)
  end.writeUInt16LE(parts.size, 8)
  end.writeUInt16LE(parts.size, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return new Uint8Array(Buffer.concat([...pieces, central, end])).buffer
}

const factsOf = (path: Buffer, content: Buffer) => ({ crc: crc32(content), size: content.length, name: path.length })

/** The local and the central header have the same fields in the same order; the central one two bytes later. */
function header(
  sign: number,
  length: number,
  words: [at: number, value: number][],
  facts: ReturnType<typeof factsOf>,
  shift: 0 | 2,
) {
  const bytes = Buffer.alloc(length)
  bytes.writeUInt32LE(sign, 0)
  for (const [at, value] of words) bytes.writeUInt16LE(value, at)
  bytes.writeUInt16LE(UTF8_NAME, 6 + shift)
  bytes.writeUInt32LE(facts.crc, 14 + shift)
  bytes.writeUInt32LE(facts.size, 18 + shift)
  bytes.writeUInt32LE(facts.size, 22 + shift)
  bytes.writeUInt16LE(facts.name, 26 + shift)
  return bytes
}
