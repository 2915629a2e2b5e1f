import { BROKEN, Unreadable } from './rejections.ts'

const END_OF_CHAIN = 0xfffffffe
const MAX_STREAM = 64 * 1024 * 1024
/** Objects that we read are formulas. */
const MAX_OBJECT = 100_000
const ENTRY_BYTES = 128

/** The stream of a name: any of the file, or the one of a storage in it. */
export type StreamOf = (name: string, storage?: string) => Buffer | null

/** The streams of a compound file, the container of DOC and XLS, by their names. */
export function readCompoundFile(bytes: Uint8Array): StreamOf {
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
  const stream = (first: number, size = file.length) => {
    const sectors = Math.min(most, Math.ceil(size / sectorBytes))
    return Buffer.concat(chain(first, (id) => table[id] ?? END_OF_CHAIN, sectors).map(sector))
  }
  const entries = directoryOf(stream(file.readUInt32LE(48)))
  const root = entries.find(({ type }) => type === 5)
  const small = {
    limit: file.readUInt32LE(56),
    table: numbersIn(stream(file.readUInt32LE(60))),
    data: root ? stream(root.first) : Buffer.alloc(0),
  }
  const smallStream = (first: number, size: number) =>
    Buffer.concat(
      chain(first, (id) => small.table[id] ?? END_OF_CHAIN, Math.ceil(size / 64)).map((id) =>
        small.data.subarray(id * 64, (id + 1) * 64),
      ),
    )
  const storages = new Map(entries.filter(({ type }) => type === 1).map((entry) => [entry.name, entry]))
  return (name, storage) => {
    const among = storage === undefined ? entries : entriesOf(entries, storages.get(storage)?.child ?? NO_ENTRY)
    const entry = among.find((entry) => entry.name === name && entry.type === 2)
    if (!entry || entry.size > (storage === undefined ? MAX_STREAM : MAX_OBJECT)) return null
    const content = entry.size < small.limit ? smallStream(entry.first, entry.size) : stream(entry.first, entry.size)
    return content.subarray(0, entry.size)
  }
}

const NO_ENTRY = 0xffffffff
const MAX_IN_STORAGE = 32

/** The entries of a storage are a tree of neighbours; objects have few of them. */
function entriesOf(entries: readonly Entry[], first: number): Entry[] {
  const found = new Set<Entry>()
  const left = [first]
  while (left.length > 0 && found.size < MAX_IN_STORAGE) {
    const entry = entries[left.pop() ?? NO_ENTRY]
    if (!entry || found.has(entry)) continue
    found.add(entry)
    left.push(...entry.neighbours)
  }
  return [...found]
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

interface Entry {
  name: string
  type: number
  neighbours: number[]
  child: number
  first: number
  size: number
}

function directoryOf(bytes: Buffer): Entry[] {
  return Array.from({ length: Math.floor(bytes.length / ENTRY_BYTES) }, (_, index) => {
    const entry = bytes.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES)
    const length = Math.min(Math.max(entry.readUInt16LE(64) - 2, 0), 62)
    return {
      name: entry.toString('utf16le', 0, length),
      type: entry[66] ?? 0,
      neighbours: [entry.readUInt32LE(68), entry.readUInt32LE(72)],
      child: entry.readUInt32LE(76),
      first: entry.readUInt32LE(116),
      size: entry.readUInt32LE(120),
    }
  })
}
