import { BROKEN, Unreadable } from './rejections.ts'

const END_OF_CHAIN = 0xfffffffe
const MAX_STREAM = 64 * 1024 * 1024
const ENTRY_BYTES = 128

/** The streams of a compound file, the container of DOC and XLS, by their names. */
export function readCompoundFile(bytes: Uint8Array): (name: string) => Buffer | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (file.length < 512 || file.readUInt32BE(0) !== 0xd0cf11e0) throw new Unreadable(BROKEN)
  const sectorBytes = 2 ** Math.min(file.readUInt16LE(30), 12)
  const sector = (id: number) => file.subarray((id + 1) * sectorBytes, (id + 2) * sectorBytes)
  const table = allocationTable(file, sector, sectorBytes)
  // A chain that names a sector twice would never end.
  const chain = (first: number, next: (id: number) => number, most: number) => {
    const ids: number[] = []
    const seen = new Set<number>()
    for (let id = first; id < END_OF_CHAIN && ids.length < most; id = next(id)) {
      if (seen.has(id)) throw new Unreadable(BROKEN)
      seen.add(id)
      ids.push(id)
    }
    return ids
  }
  const most = Math.ceil(file.length / sectorBytes) + 1
  const stream = (first: number) => Buffer.concat(chain(first, (id) => table[id] ?? END_OF_CHAIN, most).map(sector))
  const entries = directoryOf(stream(file.readUInt32LE(48)))
  const root = entries.find(({ type }) => type === 5)
  const small = {
    limit: file.readUInt32LE(56),
    table: numbersIn(stream(file.readUInt32LE(60))),
    data: root ? stream(root.first) : Buffer.alloc(0),
  }
  const smallStream = (first: number) =>
    Buffer.concat(
      chain(first, (id) => small.table[id] ?? END_OF_CHAIN, Math.ceil(small.data.length / 64) + 1).map((id) =>
        small.data.subarray(id * 64, (id + 1) * 64),
      ),
    )
  return (name) => {
    const entry = entries.find((entry) => entry.name === name && entry.type === 2)
    if (!entry || entry.size > MAX_STREAM) return null
    const content = entry.size < small.limit ? smallStream(entry.first) : stream(entry.first)
    return content.subarray(0, entry.size)
  }
}

const numbersIn = (bytes: Buffer) => Array.from({ length: bytes.length >> 2 }, (_, at) => bytes.readUInt32LE(at * 4))

/** The list of sectors that hold the table of chains: 109 in the header, the others in sectors of their own. */
function allocationTable(file: Buffer, sector: (id: number) => Buffer, sectorBytes: number): number[] {
  const most = Math.ceil(file.length / sectorBytes)
  const ids = numbersIn(file.subarray(76, 512))
  let next = file.readUInt32LE(68)
  for (let read = 0; next < END_OF_CHAIN && read < most; read += 1) {
    const numbers = numbersIn(sector(next))
    next = numbers.pop() ?? END_OF_CHAIN
    ids.push(...numbers)
  }
  return ids
    .filter((id) => id < most)
    .slice(0, most)
    .flatMap((id) => numbersIn(sector(id)))
}

function directoryOf(bytes: Buffer): { name: string; type: number; first: number; size: number }[] {
  return Array.from({ length: Math.floor(bytes.length / ENTRY_BYTES) }, (_, index) => {
    const entry = bytes.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES)
    const length = Math.min(Math.max(entry.readUInt16LE(64) - 2, 0), 62)
    return {
      name: entry.toString('utf16le', 0, length),
      type: entry[66] ?? 0,
      first: entry.readUInt32LE(116),
      size: entry.readUInt32LE(120),
    }
  })
}
