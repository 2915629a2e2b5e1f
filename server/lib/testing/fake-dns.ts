import { createSocket } from 'node:dgram'
import { isIPv4 } from 'node:net'

const [A, AAAA, CNAME] = [1, 28, 5]
const HEADER_BYTES = 12

/** What a name has: addresses of both families, or first another name. */
interface FakeName {
  addresses?: readonly string[]
  cname?: string
}

interface FakeDns {
  server: string
  /** The names that were asked for, with the family. */
  asked: { name: string; family: 4 | 6 }[]
  close: () => Promise<void>
}

const labels = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.alloc(1),
  ])

const bytesOf = (address: string) =>
  isIPv4(address)
    ? Buffer.from(address.split('.').map(Number))
    : Buffer.from(
        new URL(`http://[${address}]`).hostname
          .slice(1, -1)
          .replace('::', `:${'0:'.repeat(9 - address.split(':').length)}`)
          .replace(/^:|:$/g, '')
          .split(':')
          .map((part) => part.padStart(4, '0'))
          .join(''),
        'hex',
      )

function record(name: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt32BE(60, 4)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([labels(name), fixed, data])
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const parts: string[] = []
  let at = HEADER_BYTES
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    parts.push(message.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: parts.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 }
}

/** A name server on loopback: `null` is a silent name, and an unknown one does not exist. */
export async function startFakeDns(nameOf: (name: string) => FakeName | null | undefined): Promise<FakeDns> {
  const asked: FakeDns['asked'] = []
  const socket = createSocket('udp4')
  socket.on('message', (message, from) => {
    const { name, type, end } = readQuestion(message)
    if (type !== A && type !== AAAA) return
    asked.push({ name, family: type === A ? 4 : 6 })
    const known = nameOf(name)
    if (known === null) return
    const owner = known?.cname ?? name
    const fitting = (known?.addresses ?? []).filter((address) => isIPv4(address) === (type === A))
    const answers = [
      ...(known?.cname ? [record(name, CNAME, labels(known.cname))] : []),
      ...fitting.map((address) => record(owner, type, bytesOf(address))),
    ]
    const head = Buffer.alloc(HEADER_BYTES)
    message.copy(head, 0, 0, 2)
    head.writeUInt16BE(known ? 0x8180 : 0x8183, 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(answers.length, 6)
    socket.send(Buffer.concat([head, message.subarray(HEADER_BYTES, end), ...answers]), from.port, from.address)
  })
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done))
  return {
    server: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((done) => socket.close(() => done())),
  }
}
