/** A recording to upload: a tone with pauses, 16 bits, one channel. */
export function wav(seconds: number, rate = 8000): Buffer {
  const frames = Math.round(seconds * rate)
  const bytes = Buffer.alloc(44 + frames * 2)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(36 + frames * 2, 4)
  bytes.write('WAVEfmt ', 8, 'latin1')
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(rate, 24)
  bytes.writeUInt32LE(rate * 2, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36, 'latin1')
  bytes.writeUInt32LE(frames * 2, 40)
  for (let i = 0; i < frames; i += 1) {
    const isPause = i % rate > rate * 0.8
    bytes.writeInt16LE(isPause ? 0 : Math.round(8000 * Math.sin((2 * Math.PI * 440 * i) / rate)), 44 + i * 2)
  }
  return bytes
}
