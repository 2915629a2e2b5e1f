import { readFile, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sharp } from 'sharp'
import { createTurns } from '#server/lib/fair-turns.ts'
import { newId } from '#server/lib/ids.ts'
import type { Run } from '#server/lib/run-program.ts'
import { inTurn, loadSharp, MAX_PIXELS } from './image.ts'
import type { Pool } from './pool.ts'
import { BROKEN, Unreadable } from './rejections.ts'
import { documents } from './types.ts'

/** Small letters are still legible, and models scale larger pictures down. */
const MAX_SIDE = 2000
const QUALITY = 80
const RENDER_MS = 60_000
const PROBE_MS = 10_000
/** Kilobytes of address space: a page that needs more fails, and the server does not. */
const RENDER_KB = 1_500_000
/** Of processor time; usual pages take less than three. */
const RENDER_CPU_SECONDS = 20
/** How many run at once, and how many of them for one person. */
const AT_ONCE = { size: 2, ofPerson: 1 }
/** Of brightness: paper without ink, with the noise of a scanner. */
const BLANK_DEVIATION = 2.5

export interface PagePicture {
  /** A JPEG. */
  content: Buffer
  isBlank: boolean
}

/** Writes a page of a PDF as a JPEG file and returns its path. */
export type RenderPage = (
  source: Pick<PictureSource, 'path' | 'userId'>,
  number: number,
  signal: AbortSignal,
) => Promise<string>

/** Null when pdftoppm of poppler is not installed: then only pages that consist of one image become pictures. */
export async function findPdftoppm(folder: string, run: Run): Promise<RenderPage | null> {
  try {
    await run('pdftoppm', ['-v'], AbortSignal.timeout(PROBE_MS))
  } catch {
    return null
  }
  const turns = createTurns(AT_ONCE)
  const render: RenderPage = async ({ path }, number, signal) => {
    const made = join(folder, newId())
    const page = ['-f', String(number), '-l', String(number), '-singlefile']
    const form = ['-jpeg', '-jpegopt', 'quality=90', '-scale-to', String(MAX_SIDE)]
    // The shell only sets limits, which some systems do not have; file names are arguments, never text of a command.
    const limits = `ulimit -v ${RENDER_KB} 2>/dev/null; ulimit -t ${RENDER_CPU_SECONDS} 2>/dev/null`
    const ends = AbortSignal.any([signal, AbortSignal.timeout(RENDER_MS)])
    try {
      await run('sh', ['-c', `${limits}; exec pdftoppm "$@"`, 'pdftoppm', ...page, ...form, path, made], ends)
    } catch (error) {
      await rm(`${made}.jpg`, { force: true })
      throw signal.aborted ? signal.reason : error
    }
    return `${made}.jpg`
  }
  return (source, number, signal) => turns.run(source.userId, () => render(source, number, signal), signal)
}

export interface PictureDeps {
  pool: Pool
  render: RenderPage | null
}

export interface PictureSource {
  path: string
  mime: string
  userId: string
}

/** One page as a picture, within limits of size; throws `Unreadable` with a reason. */
export async function makePicture(
  deps: PictureDeps,
  source: PictureSource,
  number: number,
  signal: AbortSignal,
): Promise<PagePicture> {
  // A long reading must not lose its file to the sweep of forgotten ones.
  await utimes(source.path, new Date(), new Date())
  if (source.mime !== documents.pdf.mime) return fromFile(source.path, source.mime === documents.tiff.mime ? number : 1)
  if (!deps.render) return embeddedPicture(deps, source, number)
  const path = await deps.render(source, number, signal).catch((error: unknown) => {
    if (signal.aborted) throw error
    return null
  })
  // A file that poppler refuses may still contain the image itself.
  if (!path) return embeddedPicture(deps, source, number)
  try {
    return await fromFile(path, 1)
  } finally {
    await rm(path, { force: true })
  }
}

const fromFile = (path: string, page: number) =>
  encode(async () =>
    (await loadSharp())(path, { limitInputPixels: MAX_PIXELS, page: page - 1, sequentialRead: true }).autoOrient(),
  )

async function embeddedPicture({ pool }: PictureDeps, source: PictureSource, number: number): Promise<PagePicture> {
  const { picture } = await pool.use(async (parse) => {
    const bytes = new Uint8Array(await readFile(source.path))
    return parse({ mime: source.mime, bytes, picture: number })
  }, source.userId)
  if (!picture) return { content: Buffer.alloc(0), isBlank: true }
  const { data, width, height, channels, rotation } = picture
  return encode(async () => (await loadSharp())(data, { raw: { width, height, channels } }).rotate(rotation))
}

function encode(open: () => Promise<Sharp>): Promise<PagePicture> {
  return inTurn(async () => {
    try {
      const content = await (await open())
        .flatten({ background: '#ffffff' })
        .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
        .toColourspace('srgb')
        .jpeg({ quality: QUALITY })
        .toBuffer()
      const { channels } = await (await loadSharp())(content).stats()
      return { content, isBlank: (channels[0]?.stdev ?? 0) < BLANK_DEVIATION }
    } catch {
      throw new Unreadable(BROKEN)
    }
  })
}
