import type { PacketSeconds } from './scan.ts'

/** Bits of one mode: its block, two zeros of 16 bits, its mapping. */
const MODE_BITS = 41
const MAX_MODES = 64

/**
 * The samples of a packet follow from the sizes of its block and of the block before it. Which size a packet has, is in
 * the modes at the end of the third header; they are read from there, because all before them would have to be decoded.
 */
export function vorbisPackets(identity: Buffer, setup: Buffer): PacketSeconds | null {
  if (identity.length < 29) return null
  const rate = identity.readUInt32LE(12)
  const sizes = identity[28] ?? 0
  const blocks = [1 << (sizes & 15), 1 << (sizes >> 4)]
  const modes = modesIn(setup)
  if (rate === 0 || modes.length === 0) return null
  const modeBits = 32 - Math.clz32(modes.length - 1)
  let before = 0
  return ([first = 0], bytes) => {
    // A packet whose first bit is set is a header.
    if (bytes === 0 || first & 1) return 0
    const block = blocks[modes[(first >> 1) & ((1 << modeBits) - 1)] ?? 0] ?? 0
    const samples = before === 0 ? 0 : (before + block) / 4
    before = block
    return samples / rate
  }
}

/** For each mode whether its block is the long one. */
function modesIn(setup: Buffer): number[] {
  const read = (at: number, bits: number) => {
    let value = 0
    for (let bit = bits - 1; bit >= 0; bit -= 1) {
      const place = at + bit
      value = value * 2 + (((setup[place >> 3] ?? 0) >> (place & 7)) & 1)
    }
    return value
  }
  let end = setup.length * 8 - 1
  while (end > 0 && read(end, 1) === 0) end -= 1
  const modes: number[] = []
  let found: number[] = []
  for (let at = end - MODE_BITS; at > 6 && modes.length < MAX_MODES; at -= MODE_BITS) {
    if (read(at + 1, 32) !== 0 || read(at + 33, 8) > 63) break
    modes.unshift(read(at, 1))
    // The number of modes stands before the first one.
    if (read(at - 6, 6) === modes.length - 1) found = [...modes]
  }
  return found
}
