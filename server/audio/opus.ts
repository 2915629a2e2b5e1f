/** Milliseconds per frame by the upper five bits of the packet's first byte (RFC 6716, table 2). */
const FRAME_MS = [
  ...[10, 20, 40, 60, 10, 20, 40, 60, 10, 20, 40, 60],
  ...[10, 20, 10, 20],
  ...[2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20],
]
/** The limit of RFC 6716. */
const MAX_PACKET_MS = 120

/** The duration of one Opus packet by its first bytes; decoders use the same, so it cannot be forged. */
export function opusPacketMs(first: number, second: number): number {
  const frame = FRAME_MS[first >> 3] ?? 0
  const code = first & 3
  const frames = code === 0 ? 1 : code === 3 ? second & 0x3f : 2
  return Math.min(frame * frames, MAX_PACKET_MS)
}
