import { getDocumentProxy } from 'unpdf'
import { LOCKED, Unreadable } from '../rejections.ts'

export type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>

/** Images are not decoded: the text needs none of them, and they take most of the memory. */
const options = { verbosity: 0, enableXfa: false }

/** The library takes the bytes away from the caller, so it gets a copy: a document may be opened again. */
export async function openPdf(bytes: Uint8Array, maxImageSize = 1): Promise<PdfDocument> {
  unlockAttachments(bytes)
  try {
    return await getDocumentProxy(new Uint8Array(bytes), { ...options, maxImageSize })
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') throw new Unreadable(LOCKED)
    throw error
  }
}

/**
 * A password may protect only the attachments: texts and streams are then stored as they are (`/Identity`), and the
 * reader may not ask for it. The reference to the encryption is overwritten with spaces, so that offsets stay.
 */
export function unlockAttachments(bytes: Uint8Array): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!buffer.includes('/Encrypt')) return
  const text = buffer.toString('latin1')
  for (const match of text.matchAll(/\/Encrypt\s{0,20}(\d{1,10})\s{1,20}(\d{1,5})\s{1,20}R/g)) {
    const at = text.search(new RegExp(`(?:^|[\\r\\n\\s])${match[1]}\\s{1,20}${match[2]}\\s{1,20}obj`))
    const dictionary = at < 0 ? '' : text.slice(at, at + 4000).split('endobj')[0]
    if (dictionary && isOnlyAttachments(dictionary)) buffer.fill(' ', match.index, match.index + match[0].length)
  }
}

function isOnlyAttachments(dictionary: string): boolean {
  const isPlain = (name: string) =>
    (new RegExp(`/${name}\\s{0,20}/(\\w+)`).exec(dictionary)?.[1] ?? 'Identity') === 'Identity'
  return (
    /\/V\s{0,20}[45]/.test(dictionary) && /\/EFF\s{0,20}\/\w/.test(dictionary) && isPlain('StmF') && isPlain('StrF')
  )
}
