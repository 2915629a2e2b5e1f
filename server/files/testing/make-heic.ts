/** One frame of 64 × 32 in red: ffmpeg -f lavfi -i color=red:size=64x32,format=yuv420p -frames:v 1 -c:v libx265 -f hevc. */
const FRAME =
  'AAAAAUABDAH//wQIAAADAJ+oAAADAAAeugJAAAAAAUIBAQQIAAADAJ+oAAADAAAeoCCCFlurkyvAWwIAAAMAAgAAAwAyEAAAAAFEAcFzwIkAAAEoAa949wQD/9uj/+0n0vbDlL8='

/** The file of an iPhone, as small as it can be: one HEVC image, its size and, if wanted, a rotation by 90°. */
export function makeHeic({ width = 64, height = 32, isRotated = false } = {}): Buffer {
  const units = unitsIn(Buffer.from(FRAME, 'base64'))
  const isHead = (unit: Buffer) => [32, 33, 34].includes(typeOf(unit))
  const slices = units.filter((unit) => !isHead(unit) && typeOf(unit) < 32)
  const media = Buffer.concat(slices.map((unit) => Buffer.concat([uint(4, unit.length), unit])))
  const size = box('ispe', uint(4, 0), uint(4, width), uint(4, height))
  const properties = [
    box('hvcC', configuration(units.filter(isHead))),
    size,
    ...(isRotated ? [box('irot', Buffer.from([1]))] : []),
  ]
  const associations = properties.map((_, at) => (at + 1) | (at === 1 ? 0 : 0x80))
  const type = box('ftyp', Buffer.from('heic\0\0\0\0mif1heic', 'latin1'))
  const meta = (offset: number) =>
    box(
      'meta',
      uint(4, 0),
      box('hdlr', uint(4, 0), uint(4, 0), Buffer.from('pict'), Buffer.alloc(13)),
      box('pitm', uint(4, 0), uint(2, 1)),
      box(
        'iloc',
        uint(4, 0),
        Buffer.from([0x44, 0]),
        uint(2, 1),
        uint(2, 1),
        uint(2, 0),
        uint(2, 1),
        uint(4, offset),
        uint(4, media.length),
      ),
      box(
        'iinf',
        uint(4, 0),
        uint(2, 1),
        box('infe', uint(4, 0x02000000), uint(2, 1), uint(2, 0), Buffer.from('hvc1\0')),
      ),
      box(
        'iprp',
        box('ipco', ...properties),
        box('ipma', uint(4, 0), uint(4, 1), uint(2, 1), Buffer.from([associations.length, ...associations])),
      ),
    )
  const offset = type.length + meta(0).length + 8
  return Buffer.concat([type, meta(offset), box('mdat', media)])
}

const typeOf = (unit: Buffer) => ((unit[0] ?? 0) >> 1) & 0x3f

/** The units of a stream stand between marks of three or four bytes. */
function unitsIn(stream: Buffer): Buffer[] {
  const marks: number[] = []
  for (let at = stream.indexOf('\0\0\x01', 0, 'latin1'); at >= 0; at = stream.indexOf('\0\0\x01', at + 3, 'latin1'))
    marks.push(at)
  return marks.map((mark, at) => {
    const end = marks[at + 1] ?? stream.length
    const unit = stream.subarray(mark + 3, end)
    return at + 1 < marks.length && unit.at(-1) === 0 ? unit.subarray(0, -1) : unit
  })
}

/** What a decoder must know before the first slice: the profile, then the parameter sets by their types. */
function configuration(units: Buffer[]): Buffer {
  const profile = units.find((unit) => typeOf(unit) === 33)?.subarray(3, 15) ?? Buffer.alloc(12)
  const fixed = Buffer.from([0xf0, 0, 0xfc, 0xfd, 0xf8, 0xf8, 0, 0, 0x0f, units.length])
  const sets = units.map((unit) =>
    Buffer.concat([Buffer.from([0x80 | typeOf(unit)]), uint(2, 1), uint(2, unit.length), unit]),
  )
  return Buffer.concat([Buffer.from([1]), profile, fixed, ...sets])
}

function box(name: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([uint(4, body.length + 8), Buffer.from(name, 'latin1'), body])
}

function uint(width: 2 | 4, value: number): Buffer {
  const bytes = Buffer.alloc(width)
  bytes.writeUIntBE(value >>> 0, 0, width)
  return bytes
}
