import { Parser } from 'htmlparser2'
import iconv from 'iconv-lite'
import { BROKEN, Unreadable } from './rejections.ts'

/** The value of an attribute, whatever the prefix of its name. */
export type Attributes = (name: string) => string | undefined

export interface XmlHandlers {
  /** Elements that are left out with all that is in them. */
  skip?: ReadonlySet<string>
  /** The name has no prefix. */
  open?: (name: string, attribute: Attributes) => void
  close?: (name: string) => void
  text?: (text: string) => void
}

const MAX_DEPTH = 500

/** Calls the handlers for each element. Entities of a document type are not expanded, so none can grow or read files. */
export function readXml(xml: string, { open, close, text, skip }: XmlHandlers): void {
  let [depth, skipped] = [0, 0]
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        depth += 1
        if (depth > MAX_DEPTH) throw new Unreadable(BROKEN)
        if (skipped > 0 || skip?.has(localName(name))) skipped += 1
        else open?.(localName(name), (wanted) => attributeOf(attributes, wanted))
      },
      onclosetag: (name) => {
        depth -= 1
        if (skipped > 0) skipped -= 1
        else close?.(localName(name))
      },
      ontext: (data) => {
        if (skipped === 0) text?.(data)
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.end(xml)
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

function attributeOf(attributes: Record<string, string>, wanted: string): string | undefined {
  if (attributes[wanted] !== undefined) return attributes[wanted]
  for (const [name, value] of Object.entries(attributes)) if (localName(name) === wanted) return value
  return undefined
}

/** The text of an XML file in the encoding that it names; without a name it is UTF-8. */
export function decodeXml(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0x3c && bytes[1] === 0))
    return iconv.decode(buffer, 'utf-16le')
  if ((bytes[0] === 0xfe && bytes[1] === 0xff) || (bytes[0] === 0 && bytes[1] === 0x3c))
    return iconv.decode(buffer, 'utf-16be')
  const named = /^[^<]{0,10}<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w-]{2,30})/i.exec(
    buffer.toString('latin1', 0, 200),
  )?.[1]
  return iconv.decode(buffer, named && iconv.encodingExists(named) && !/^utf-?16|^ucs/i.test(named) ? named : 'utf-8')
}

/** Targets of the relationships of an office part, by id; those outside of the file are left out. */
export function relationships(xml: string | undefined, folder: string): Map<string, { type: string; target: string }> {
  const found = new Map<string, { type: string; target: string }>()
  readXml(xml ?? '', {
    open: (name, attribute) => {
      const [id, target] = [attribute('Id'), attribute('Target')]
      if (name !== 'Relationship' || !id || !target || attribute('TargetMode') === 'External') return
      const type = (attribute('Type') ?? '').split('/').at(-1) ?? ''
      found.set(id, { type, target: resolvePath(folder, target) })
    },
  })
  return found
}

/** A path inside an archive, relative to a folder of it; never outside. */
export function resolvePath(folder: string, target: string): string {
  const parts = target.startsWith('/') ? [] : folder.split('/').filter(Boolean)
  for (const part of target.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}
