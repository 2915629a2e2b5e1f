import { wavHeader } from '#server/audio/wav.ts'

/** A tone, or silence when `loud` is 0. */
export interface Stretch {
  seconds: number
  loud: number
}

interface WavFormat {
  rate?: number
  channels?: number
  bits?: number
  sample?: 'int' | 'float'
}

export function makeWav(stretches: readonly Stretch[], format: WavFormat = {}): Buffer {
  const { rate = 8000, channels = 1, bits = 16, sample = 'int' } = format
  const width = bits / 8
  const frameBytes = width * channels
  const counts = stretches.map(({ seconds }) => Math.round(seconds * rate))
  const frames = counts.reduce((sum, count) => sum + count, 0)
  const data = Buffer.alloc(frames * frameBytes)
  let frame = 0
  for (const [i, { loud }] of stretches.entries()) {
    for (let n = 0; n < (counts[i] ?? 0); n += 1, frame += 1) {
      const value = loud * Math.sin((2 * Math.PI * 440 * frame) / rate)
      for (let channel = 0; channel < channels; channel += 1) {
        write(data, frame * frameBytes + channel * width, value, bits, sample)
      }
    }
  }
  return Buffer.concat([wavHeader({ sample, bits, channels, rate, frameBytes }, frames), data])
}

function write(data: Buffer, at: number, value: number, bits: number, sample: 'int' | 'float') {
  if (sample === 'float') data.writeFloatLE(value, at)
  else if (bits === 8) data.writeUInt8(Math.round(128 + value * 127), at)
  else data.writeIntLE(Math.round(value * (2 ** (bits - 1) - 1)), at, bits / 8)
}

/** Empty MP3 frames at 128 kbit/s and 44.1 kHz. */
export function makeMp3(frames: number, withCount = false): Buffer {
  const frame = Buffer.alloc(417)
  frame.set([0xff, 0xfb, 0x90, 0x00])
  const first = Buffer.from(frame)
  if (withCount) {
    first.write('Xing', 36, 'latin1')
    first.writeUInt32BE(1, 40)
    first.writeUInt32BE(frames, 44)
  }
  return Buffer.concat([first, ...Array.from({ length: withCount ? 20 : frames - 1 }, () => frame)])
}

/** The header claims `samples`; `frames` of 4096 samples without sound follow. */
export function makeFlac(rate: number, samples: number, frames = 0): Buffer {
  const head = Buffer.alloc(42)
  head.write('fLaC', 0, 'latin1')
  head.writeUIntBE(34, 5, 3)
  head.writeUIntBE(rate << 4, 18, 3)
  head.writeUInt32BE(samples, 22)
  const frame = Buffer.alloc(20)
  // The last byte of the header is its checksum.
  frame.set([0xff, 0xf8, 0xc0, 0x00, 0x00, 0x07])
  return Buffer.concat([head, ...Array.from({ length: frames }, () => frame)])
}

/** With `packets`, that many packets of 20 ms follow, whatever the page positions claim. */
export function makeOpus(samples: number, skip = 312, packets = 0): Buffer {
  const page = (granule: bigint, body: Buffer) => {
    const head = Buffer.alloc(28)
    head.write('OggS', 0, 'latin1')
    head.writeBigInt64LE(granule, 6)
    head[26] = 1
    head[27] = body.length
    return Buffer.concat([head, body])
  }
  const opus = Buffer.alloc(19)
  opus.write('OpusHead', 0, 'latin1')
  opus.set([1, 1], 8)
  opus.writeUInt16LE(skip, 10)
  const granule = BigInt(samples + skip)
  const tags = page(0n, Buffer.from('OpusTags\0\0\0\0\0\0\0\0', 'latin1'))
  const sound = Array.from({ length: packets }, () => page(granule, Buffer.alloc(60, 0x78)))
  return packets > 0
    ? Buffer.concat([page(0n, opus), tags, ...sound])
    : Buffer.concat([page(0n, opus), page(granule, Buffer.alloc(100, 7))])
}

/** With `frames`, the size table lists that many AAC frames; `kind` is that of the only track. */
export function makeMp4(seconds: number, frames = 0, kind = 'soun'): Buffer {
  const box = (name: string, body: Buffer) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(8 + body.length, 0)
    head.write(name, 4, 'latin1')
    return Buffer.concat([head, body])
  }
  const header = Buffer.alloc(100)
  header.writeUInt32BE(1000, 12)
  header.writeUInt32BE(seconds * 1000, 16)
  const type = box('ftyp', Buffer.from('M4A \0\0\0\0M4A mp42isom', 'latin1'))
  const kinds = Buffer.alloc(76)
  kinds.write('mp4a', 12, 'latin1')
  kinds.write('esds', 44, 'latin1')
  // Descriptors inside of each other; the last says AAC of 48 kHz.
  for (const [at, bytes] of [
    [52, [3, 25]],
    [57, [4, 17, 0x40]],
    [72, [5, 2, 0x11, 0x90]],
  ] as const)
    kinds.set(bytes, at)
  const sizes = Buffer.alloc(12 + 4 * frames)
  sizes.writeUInt32BE(frames, 8)
  const table = box('stbl', Buffer.concat([box('stsd', kinds), box('stsz', sizes)]))
  const handler = box('hdlr', Buffer.from(`\0\0\0\0\0\0\0\0${kind}${'\0'.repeat(13)}`, 'latin1'))
  const media = frames > 0 ? [handler, box('minf', table)] : [handler]
  const movie = box('moov', Buffer.concat([box('mvhd', header), box('trak', box('mdia', Buffer.concat(media)))]))
  return Buffer.concat([type, box('mdat', Buffer.alloc(500)), movie])
}

/** Frames of 20 ms as old phones record them: 12.2 kbit/s, or 23.85 with the wide band. */
export function makeAmr(frames: number, isWide = false): Buffer {
  const frame = Buffer.alloc(isWide ? 61 : 32)
  frame[0] = isWide ? 0x44 : 0x3c
  return Buffer.concat([Buffer.from(isWide ? '#!AMR-WB\n' : '#!AMR\n'), ...Array.from({ length: frames }, () => frame)])
}

/** Empty frames of 1024 samples at 44.1 kHz. */
export function makeAac(frames: number): Buffer {
  const frame = Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc, ...Array.from({ length: 9 }, () => 0)])
  return Buffer.concat(Array.from({ length: frames }, () => frame))
}

/** Plain samples of 16 bits at 8 kHz, as Apple writes them; the size of a recording that was not ended is unknown. */
export function makeCaf(seconds: number, isOpen = false): Buffer {
  const desc = Buffer.alloc(32)
  desc.writeDoubleBE(8000, 0)
  desc.write('lpcm', 8, 'latin1')
  for (const [at, value] of [0, 2, 1, 1, 16].entries()) desc.writeUInt32BE(value, 12 + at * 4)
  const chunk = (name: string, body: Buffer, size = BigInt(body.length)) => {
    const head = Buffer.alloc(12)
    head.write(name, 0, 'latin1')
    head.writeBigInt64BE(size, 4)
    return Buffer.concat([head, body])
  }
  const data = Buffer.alloc(4 + seconds * 16_000)
  return Buffer.concat([
    Buffer.from('caff\0\x01\0\0', 'latin1'),
    chunk('desc', desc),
    chunk('data', data, isOpen ? -1n : undefined),
  ])
}

/** ADPCM in blocks of 256 bytes and 505 samples at 8 kHz; the bytes per second in its header are wrong, as some programs write them. */
export function makeAdpcm(blocks: number): Buffer {
  const format = Buffer.alloc(20)
  for (const [at, value, width] of [
    [0, 0x11, 2],
    [2, 1, 2],
    [4, 8000, 4],
    [8, 5800, 4],
    [12, 256, 2],
    [14, 4, 2],
    [16, 2, 2],
    [18, 505, 2],
  ] as const)
    format.writeUIntLE(value, at, width)
  const chunk = (name: string, body: Buffer) => {
    const head = Buffer.alloc(8)
    head.write(name, 0, 'latin1')
    head.writeUInt32LE(body.length, 4)
    return Buffer.concat([head, body])
  }
  const body = Buffer.concat([
    Buffer.from('WAVE'),
    chunk('fmt ', format),
    chunk('LIST', Buffer.alloc(4000)),
    chunk('data', Buffer.alloc(blocks * 256)),
  ])
  return chunk('RIFF', body)
}

/** The same WAV under the sign of files above 4 GB. */
export function asRf64(wav: Buffer): Buffer {
  const size = Buffer.alloc(36)
  size.write('ds64', 0, 'latin1')
  size.writeUInt32LE(28, 4)
  const head = Buffer.from(wav.subarray(0, 12))
  head.write('RF64', 0, 'latin1')
  head.writeUInt32LE(0xffffffff, 4)
  const rest = Buffer.from(wav.subarray(12))
  rest.writeUInt32LE(0xffffffff, rest.indexOf('data') + 4)
  return Buffer.concat([head, size, rest])
}

/** As browsers record: no duration in the header, clusters of unknown size. */
export function makeWebm(blocks: readonly number[], clusterEvery = 5000, packets = 0): Buffer {
  const element = (id: number[], body: Buffer) => Buffer.concat([Buffer.from([...id, 0x80 | body.length]), body])
  const header = element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], Buffer.from('webm')))
  const info = element([0x15, 0x49, 0xa9, 0x66], element([0x2a, 0xd7, 0xb1], Buffer.from([0x0f, 0x42, 0x40])))
  const codec = Buffer.concat([element([0xd7], Buffer.from([1])), element([0x86], Buffer.from('A_OPUS'))])
  const tracks = element([0x16, 0x54, 0xae, 0x6b], element([0xae], codec))
  const parts: Buffer[] = packets > 0 ? [tracks] : []
  let cluster = -1
  // Further packets of 20 ms, all at the time of the last block.
  for (const at of [
    ...blocks,
    ...Array.from({ length: Math.max(0, packets - blocks.length) }, () => blocks.at(-1) ?? 0),
  ]) {
    const start = Math.floor(at / clusterEvery) * clusterEvery
    if (start !== cluster) {
      cluster = start
      const time = Buffer.alloc(4)
      time.writeUInt32BE(start)
      parts.push(Buffer.from([0x1f, 0x43, 0xb6, 0x75, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]))
      parts.push(element([0xe7], time))
    }
    const block = Buffer.alloc(20)
    block[0] = 0x81
    block[4] = 0x78
    block.writeInt16BE(at - cluster, 1)
    parts.push(element([0xa3], block))
  }
  const segment = Buffer.from([0x18, 0x53, 0x80, 0x67, 0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])
  return Buffer.concat([header, segment, info, ...parts])
}
