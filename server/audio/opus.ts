/** Milliseconds of one frame by the five upper bits of a packet's first byte (RFC 6716, table 2). */
const FRAME_MS = [
  ...[10, 20, 40, 60, 10, 20, 40, 60, 10, 20, 40, 60],
  ...[10, 20, 10, 20],
  ...[2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20, 2.5, 5, 10, 20],
]
/** No packet is longer. */
const MAX_PACKET_MS = 120

/** How long the sound in one Opus packet is: the packet says it itself, and decoders go by that. */
export function opusPacketMs(first: number, second: number): number {
  const frame = FRAME_MS[first >> 3] ?? 0
  const code = first & 3
  const frames = code === 0 ? 1 : code === 3 ? second & 0x3f : 2
  return Math.min(frame * frames, MAX_PACKET_MS)
}
